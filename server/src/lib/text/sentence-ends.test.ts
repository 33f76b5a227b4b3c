import { expect, test } from 'vitest'
import { splitSentences } from '../text.ts'

/** Each text with a bar where a sentence ends. */
const english = [
  'Dr. J. R. Smith et al. went home, e.g. on Monday.|Then he slept.',
  'The U.S. Army paid $3.5 million.|It was too much.',
  'It was founded in the U.S.|The owner left.',
  'Apple Inc. was founded in 1976.|It is in Cupertino.',
  'The seller is Acme Inc.|The buyer is unknown.',
  'See Fig. 3 and Eq. 4 of Vol. 2.|They differ.',
  'We live at No. 10 Main St. near the park.|He said no.|Then he left.',
  'It opens at 9 a.m. Monday and closes at 5 p.m.|Visitors must leave.',
  'The train leaves at 5 p.m. Friday, i.e. before dark.|Bring a lamp.',
  'Apples, pears, etc.|Nothing else is sold.',
  'After World War II.|Germany was divided.',
  'Take vitamin C.|It helps.',
  'He asked "Why?" and left.|Nobody replied.',
  '“It is late.”|She closed the door.',
  'It cost 3.50 euros in v1.2.|It was fine.',
  'St. John lives on Mt. Hood vs. Mr. Lee in town.|True.',
  'Mr. and Mrs. Smith met Prof. Lee on Jan. 5 in Washington, D.C.|The talk was long.',
  'She was 19.|Harry was 20.',
  'Project No. DO2I1088 costs 3 pesos.|It ended.',
]
const german = [
  'Am 3. Mai 1990 wurde das Museum eröffnet.|Es ist groß.',
  'Die Burg wurde im 19. Jahrhundert gebaut.|Sie steht noch.',
  'Ludwig XIV. war der König von Frankreich.|Er starb 1715.',
  'Der Bau begann unter Ludwig XIV. König wurde er als Kind und blieb es.',
  'Am 24. 12. 2020 war die Mühle zu.|Danach war sie offen.',
  'Das gilt z. B. für Hunde, d. h. für alle Tiere.|Es gibt u. a. Katzen.',
  'Das gilt z.B. die Mühle.',
  'Nach § 3 Abs. 2 Nr. 1 BGB haftet er bzw. Frau Dr. Müller.|Das ist klar.',
  'Es kostet ca. 5 Mio. Euro inkl. Steuer.|Das ist viel.',
  'Er wurde ca. 300 v. Chr. geboren.|Das ist lange her.',
  'Die Stadt fiel 480 v. Chr.|Die Bewohner flohen.',
  'Äpfel, Birnen usw.|Die Preise steigen.',
  'Hr. Meier und Fr. Dr. Kurz wohnen in der Hauptstr. 5.|Sie sind nett.',
  'Er rief: „Komm her!“, und ging.|Dann war Ruhe.',
  '„Ich gehe.“|Dann ging sie.',
  '»Ich bleibe.«|Dann blieb er.',
  'Der 1. FC Köln spielt am 2. Spieltag in der Stadt.|Er verliert.',
  'Wir zogen in den 3. Stock und in die 2. Etage des Hauses.|Es war laut.',
  'Sie endete im Jahr 1998.|Danach kam nichts.',
  'Er ist 20.|Danach kommt 21.',
  'Vgl. Abb. 3 auf S. 12 in Bd. 2 der 4. Auflage.|Sie ist neu.',
  'Am 1. Januar ist Feiertag.|Der 6. ist es auch.',
  'Der Verein Musterstadt e. V. wurde gegründet.|Er ist klein.',
]
const french = [
  'M. Dupont et Mme Morel habitent ici.|Ils sont vieux.',
  'Voir p. ex. la p. 12 et l’art. 5 du code.|Il est clair.',
  'Le Dr. Martin a vu MM. Petit et Grand.|Ils vont bien.',
  'Rome fut fondée en 753 av. J.-C.|La ville grandit.',
  '« Il vient. »|Elle partit.',
  '« Tu viens ? » demanda-t-elle.|Il se tut.',
  'Quoi ?|Rien du tout !|C’est fini.',
  'J. K. Rowling et J.-P. Sartre sont connus.|Ils ont écrit.',
  'Cela coûte env. 5 euros, etc.|La suite est ailleurs.',
  'Le roi Louis XIV régna longtemps.|Il mourut en 1715.',
  'Le prix est de 3,50 euros.|L’entrée est libre.',
  'Il habite au 5, av. Foch, près de la S.A. Dubois.|C’est loin.',
  'La loi du 3 mai, chap. 2, le dit.|Elle est neuve.',
]
const spanish = [
  'El Sr. López y la Sra. Gómez viven aquí.|Son viejos.',
  'Viven en EE. UU. desde 2001.|No vuelven.',
  'Viajó a EE. UU.|El viaje fue largo.',
  'Véase la pág. 12 y el art. 5, núm. 3.|Es claro.',
  'El D. Juan y la Dra. Ruiz, p. ej., lo saben.|Nadie más.',
  '¿Quién es?|¡Nadie!|Es el viento.',
  'Nació en el 300 a. C.|La ciudad era pequeña.',
  '«No voy.»|Luego salió.',
  'Vive en la Avda. Diagonal núm. 4.|Es grande.',
  'Hay pan, vino, etc.|El resto falta.',
  'Cuesta aprox. 3.500 euros.|Es caro.',
  'La Cía. Ibérica S.A. vendió todo.|La compró Ana.',
]

const split = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end))

test.each([...english, ...german, ...french, ...spanish])('%s', (marked) => {
  // A sentence begins after a space, but for opening marks.
  const sentences = marked.split('|')
  expect(split(sentences.join(' '))).toEqual(sentences)
})
