import { expect, test } from 'vitest'
import { leansOnConversation } from './leaning.ts'

test.each([
  ...[
    'And in 2019?',
    'What about Canada?',
    'And for children?',
    'Bicycles?',
    'In 2019?',
    'Why?',
    'Which one?',
  ],
  ...['How much is it for children under seven?', 'Is that the same in winter?', 'When did she do it?'],
  ...[
    'How much in 2019?',
    'How much did Amazon pay for it?',
    'Who signed this agreement?',
    'What happened there?',
  ],
  ...[
    'How much money did he make?',
    'Who designed its cover?',
    'Who approved that?',
    'Tell me more',
    'Since when?',
  ],
  ...['Und im Jahr 2019?', 'Und am Sonntag?', 'Wann hat sie das getan?', 'Was kostet es?', 'Warum?'],
  ...[
    'Wer hat ihn gebaut?',
    'Was ist mit Kanada?',
    'Wo liegt ihr Hauptsitz?',
    'Wie viel Geld hat er ausgegeben?',
  ],
  ...[
    'Et en 2019 ?',
    'Quand l’a-t-elle fait ?',
    'Combien coûte-t-il ?',
    'Pourquoi ?',
    'Qu’en est-il du Canada ?',
  ],
  ...['¿Y en 2019?', '¿Cuándo lo hizo?', '¿Por qué?', '¿Qué hay de Canadá?', '¿Cuál es su precio?'],
])('leans on the conversation: %s', (question) => {
  expect(leansOnConversation(question)).toBe(true)
})

test.each([
  ...[
    'Where does the ferry to Hiiumaa leave?',
    'Who wrote Hamlet?',
    'What is photosynthesis?',
    'Explain photosynthesis',
  ],
  ...['What is this document about?', 'How long does it take to fly to Mars?', 'Is it legal to park here?'],
  ...['How many people are there in France?', 'What was the name of the treaty that ended the war?'],
  ...['What happens to the gas when you heat it?', 'What did Luther say about his teachings?'],
  ...[
    'If a vote is held early, what does it do to the next one in the term?',
    'Whose idea was it to name the town?',
  ],
  ...['Does the museum have its own car park?', 'Net sales 2018 United States total', ''],
  ...[
    'Wann wurde das Museum eröffnet?',
    'Was gibt es im Museum zu sehen?',
    'Gibt es einen Rabatt für Kinder?',
  ],
  ...['Wie lange dauert es, den Berg zu besteigen?', 'Was sagte Luther, bevor er nach Worms reiste?'],
  ...['Quand le musée a-t-il ouvert ?', 'Y a-t-il une réduction ?', 'Que dit Luther de son œuvre ?'],
  ...['¿Cuándo abrió el museo?', '¿Quién es el director del museo?', '¿Qué dice Lutero sobre su obra?'],
])('stands alone: %s', (question) => {
  expect(leansOnConversation(question)).toBe(false)
})
