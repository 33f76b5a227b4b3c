import { describe, expect, test } from 'vitest'
import { processorMs } from '../processor-time.test-support.ts'
import { detectLanguage, isStopWord, stem, tokenize } from '../text.ts'

describe('tokenize', () => {
  test.each([
    [
      'words in lower case, stop words left out, endings removed',
      'The Pilots were LANDING again',
      'pilot land',
    ],
    ['possessives as the word', "the pilot's and the pilot’s error", 'pilot pilot error'],
    ['accents and compatibility forms folded', 'Café CAFE\u0301 ﬁle Ⅷ naïve', 'cafe cafe file viii naiv'],
    ['snake case with parts and whole', 'both_require', 'requir bothrequir'],
    [
      'camel case with parts and whole',
      'DiffExecutor HTTPServer',
      'diff executor diffexecutor http server httpserver',
    ],
    ['letters and digits with parts and whole', 'N5921D O360', 'n 5921 d n5921d o 360 o360'],
    ['codes with parts and whole', 'PA-22-150', 'pa 22 150 pa22150'],
    ['hyphenated words as words', 'well-known fact', 'well known fact'],
    ['thousands separators gone', '2,319 hours, 1,234,567.5', '2319 hour 1234567.5'],
    ['degrees and currency as numbers', '290° and €15', '290 15'],
    ['scripts without spaces as pairs', '日本語 と', '日本 本語 と'],
    ['mixed scripts apart', 'Windows版', 'window 版'],
    ['other alphabets', 'Ελλάδα Москва हिन्दी', 'ελλαδα москва हिन्दी'],
  ])('%s', (_, text, terms) => {
    expect(tokenize(text).join(' ')).toBe(terms)
  })

  test('ASCII text gives the same terms when something beyond ASCII stands beside it', () => {
    const text = 'Run run_target() of v1.2.3, PA-22-150 and 2,319.5 (a/b) SIGNALS_PTR x_ _y 3rd'
    expect(tokenize(`${text} é`)).toEqual([...tokenize(text), 'e'])
  })

  test('the same text gives the same terms whichever form its accents have', () => {
    expect(tokenize('Besançon'.normalize('NFD'))).toEqual(tokenize('Besançon'.normalize('NFC')))
  })

  test('nothing to find gives nothing', () => {
    expect(tokenize(' \n -- the and ')).toEqual([])
  })

  test('endless words are cut, not refused', () => {
    expect(tokenize('x'.repeat(1_000_000)).every((term) => term.length <= 64)).toBe(true)
  })
})

test('stemming leaves words of other alphabets alone', () => {
  expect([stem('landing'), stem('flüge'), isStopWord('the'), isStopWord('pilot')]).toEqual([
    'land',
    'flüge',
    true,
    false,
  ])
})

describe('other languages', () => {
  const paragraphs: [string, string][] = [
    ['german', 'Die Häuser in der Altstadt wurden nach dem Krieg wieder aufgebaut.'],
    ['french', 'Les maisons de la vieille ville ont été reconstruites après la guerre.'],
    ['spanish', 'Las casas del casco antiguo fueron reconstruidas después de la guerra.'],
    ['portuguese', 'As casas da cidade velha foram reconstruídas depois da guerra.'],
    ['italian', 'Le case del centro storico furono ricostruite dopo la guerra.'],
    ['dutch', 'De huizen in de oude stad zijn na de oorlog herbouwd en ze staan er nog.'],
    ['swedish', 'Husen i gamla stan byggdes upp igen efter kriget, och de är kvar.'],
    ['finnish', 'Talot rakennettiin uudelleen sodan jälkeen, ja ne ovat siitä lähtien olleet asuttuja.'],
    ['hungarian', 'Az óváros házait a háború után újjáépítették, és azóta is így állnak.'],
    ['romanian', 'Casele din orașul vechi au fost reconstruite după război.'],
    ['turkish', 'Eski şehirdeki evler savaştan sonra yeniden inşa edildi ve çok ziyaret ediliyor.'],
    ['russian', 'Дома в старом городе были восстановлены после войны.'],
    ['ukrainian', 'Будинки у старому місті були відбудовані після війни, але це не все, що він зробив.'],
    ['arabic', 'أعيد بناء المنازل في المدينة القديمة بعد الحرب.'],
    ['english', 'The houses in the old town were rebuilt after the war.'],
  ]

  test.each(paragraphs)('%s is recognised', (language, text) => {
    expect(detectLanguage(text)).toBe(language)
  })

  test.each([
    'for (const x of list) { total += x.price }',
    'id,name\n1,Stuhl\n2,Tisch',
    '老城区的房屋',
    '',
    '1 2 3',
  ])('what is no prose counts as English: %s', (text) => {
    expect(detectLanguage(text)).toBe('english')
  })

  test.each([
    ['german', 'die Häuser', 'Haus'],
    ['french', 'les musées', 'musée'],
    ['spanish', 'las guerras', 'guerra'],
    ['russian', 'старого города', 'старый город'],
    ['arabic', 'المدينة', 'مدينة'],
    ['swedish', 'husen', 'hus'],
  ] as const)('%s words lose their endings and accents: %s, %s', (language, one, other) => {
    const terms = tokenize(one, language)
    expect(terms.length).toBeGreaterThan(0)
    expect(tokenize(other, language)).toEqual(terms)
  })
})

test.each(['english', 'german'] as const)(
  'thousands of combining marks on one letter do not block the server, in %s',
  async (language) => {
    const text = `lamp ${'o\u0315\u0300'.repeat(10)} z${'\u0315\u0300'.repeat(10_000)} ${'\uff9e\u0315'.repeat(10_000)}`
    const work = () => {
      expect(tokenize(text, language)[0]).toBe('lamp')
      expect(detectLanguage(text)).toBe('english')
    }
    expect(await processorMs(work)).toBeLessThan(100)
  },
)
