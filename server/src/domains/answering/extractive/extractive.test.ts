import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../lib/processor-time.test-support.ts'
import { Question } from '../question/index.ts'
import { answerExtractively, type ContextEntry } from './extractive.ts'
import { rankPassages } from './ranking.ts'

const entry = (chunk_text: string, extra: Partial<ContextEntry> = {}): ContextEntry => ({
  chunk_id: 'c',
  chunk_text,
  score: 0.5,
  filename: 'guide.pdf',
  ...extra,
})

const guide = entry(`Harbour hotel guide

Opening hours
Day  Opens  Closes
Monday  09:00  17:00
Sunday  10:00  14:00

The hotel was built in 1920 by Anna Berg. It stands in the old harbour. Dogs are welcome in
every room but the dining room.

Fees:
- Breakfast: 12 euros
- Parking: 8 euros per day

Manager:  Ole Holm  Rooms:  48  Pool:`)

const ask = (question: string, context: readonly ContextEntry[] = [guide]) =>
  answerExtractively(rankPassages(new Question(question), context), context)

describe('the answer', () => {
  test.each([
    ['a sentence', 'Who built the hotel?', 'The hotel was built in 1920 by Anna Berg. [^0]'],
    [
      'a whole sentence without its line breaks',
      'Are dogs welcome?',
      'Dogs are welcome in every room but the dining room. [^0]',
    ],
    ['a list item with its introduction', 'How much is parking?', 'Fees – Parking: 8 euros per day [^0]'],
    ['one pair of a row of labels', 'Who is the manager?', 'Manager: Ole Holm [^0]'],
  ])('can be %s', (_, question, expected) => {
    expect(
      ask(question)
        .answer.split('\n')
        .map((line) => line.replace('Opening hours – ', '')),
    ).toContain(expected)
  })

  test.each([
    ['commas', 'station,platforms,elevation\nOlten,12,396\nChur,9,584\nVisp,8,650\n'],
    ['semicolons', 'station;platforms;elevation\nOlten;12;396\n"Chur";9;584\nVisp;8;650\n'],
    [
      'commas in long lines',
      ['station,platforms,elevation,remark of the inspector', 'Olten,12,396', '"Chur",9,584', 'visp,8,650']
        .map((line, index) => (index === 0 ? line : `${line},${'seen and found in order '.repeat(3).trim()}`))
        .join('\n'),
    ],
  ])('contains the record of a table with %s', (_, text) => {
    const { answer } = ask('What is the elevation of the station Chur?', [entry(text)])
    expect(answer).toMatch(/^Chur: platforms 9; elevation 584/)
    expect(answer).not.toMatch(/olten|visp/i)
  })

  test('can be a line of code', () => {
    const code =
      'import os\n\nCLIENT_TIMEOUT = 30\nSERVER_PORT = 8080\n\ndef run(client):\n    return client\n'
    expect(ask('What is the server port?', [entry(code)]).answer).toBe('SERVER_PORT = 8080 [^0]')
  })

  test('does not join a record of data with the next one', () => {
    const lines = [
      'book (id=b1, lang=en):',
      'title: Dune',
      'price (currency=EUR): 25',
      'book (id=b2):',
      'title: Emma',
    ]
    const { answer } = ask('What is the price of Dune?', [entry(lines.join('\n'))])
    expect(answer).toContain('price (currency=EUR): 25')
    expect(answer).not.toContain('b2')
  })

  test('does not split large numbers in prose', () => {
    const text = 'The town has 1,000,000 lamps,\nand 2,000,000 windows,\nmore or less.'
    expect(ask('How many lamps has the town?', [entry(text)]).answer).toContain('1,000,000 lamps')
  })

  test('has the column name before each cell of a table row', () => {
    expect(ask('What are the opening hours on Monday?').answer).toContain(
      'Monday: Opens 09:00; Closes 17:00 [^0]',
    )
  })

  test('joins a sentence to the line that introduces it', () => {
    const context = [entry('The board determines the cause of this failure to be:\nA broken pump.')]
    expect(ask('What was the cause of the failure?', context).answer).toBe(
      'The board determines the cause of this failure to be: A broken pump. [^0]',
    )
  })

  test('does not repeat a passage', () => {
    const text = 'The hotel was built in 1920 by Anna Berg.'
    const { answer, citations } = ask('Who built the hotel?', [
      entry(text),
      entry(text),
      entry(`${text} It is old.`),
    ])
    expect(answer).toBe(`${text} [^0]`)
    expect(citations).toHaveLength(1)
  })

  test('has at most three passages', () => {
    const text = Array.from(
      { length: 9 },
      (_, at) => `Pump ${at} of the plant delivers ${at}00 litres on floor${at}.`,
    ).join(' ')
    expect(
      ask('How many litres do the pumps of the plant deliver?', [entry(text)]).citations.length,
    ).toBeLessThanOrEqual(3)
  })

  test.each([
    ['How old is the pilot?', 'Pilot:  Ann Lee  Certificate:  Private  Age:  60', 'Age: 60 [^0]'],
    [
      'Was the pilot hurt when the plane nosed over?',
      'The plane nosed over in snow. The pilot was not injured.',
      'The pilot was not injured.',
    ],
    [
      'Why did the pump stop?',
      'The pump stopped at nine. The pump stopped because a fuse failed.',
      'because a fuse failed',
    ],
    [
      'What is the visibility of station K12?',
      'Station  Visibility  Wind\nK11  9 miles  calm\nK12  4 miles  strong',
      'K12: Visibility 4 miles',
    ],
  ])('answers %j', (question, text, expected) => {
    expect(ask(question, [entry(text)]).answer).toContain(expected)
  })

  test('a very long passage is cut at a word', () => {
    const { answer } = ask('Which values has the sensor?', [
      entry(`The sensor values ${'12.5 '.repeat(1000)}`),
    ])
    expect(answer.length).toBeLessThan(850)
    expect(answer).toMatch(/ 12\.5 … \[\^0\]$/)
  })

  test('prefers a passage with the kind of value that the question asks for', () => {
    const context = [entry('The bridge was opened to great applause. The bridge was opened on 3 May 1931.')]
    expect(ask('When was the bridge opened?', context).answer).toMatch(
      /^The bridge was opened on 3 May 1931\. \[\^0\]/,
    )
  })
})

describe('a list', () => {
  const rules = entry(`House rules

Who may not enter:
Guests for whom one of these is true stay outside:
- They carry glass
- They are under 16 years
- They bring a drone

The gate closes at ten.`)

  test('is the answer as a whole if the question asks for its title', () => {
    const { answer, citations } = ask('Who may not enter the grounds?', [rules])
    expect(answer).toMatch(
      /^Who may not enter: Guests .+:\n- They carry glass\n- They are under 16 years\n- They bring a drone \[\^0\]/,
    )
    expect(rules.chunk_text).toContain(citations[0]?.snippet)
  })

  test('gives one item if the question asks for it', () => {
    expect(ask('How much is parking?').answer).toMatch(/^Fees – Parking: 8 euros per day \[\^0\]$/)
  })

  test('is cut between two items if it is long', () => {
    const items = Array.from({ length: 200 }, (_, number) => `- Rule number ${number} of the house`)
    const { answer } = ask('What are the house rules?', [entry(`House rules:\n${items.join('\n')}`)])
    expect(answer.length).toBeLessThan(2100)
    expect(answer).toMatch(/ of the house\n- … \[\^0\]/)
  })
})

describe('citations', () => {
  test('point to the entry of their passage, and the snippet is verbatim', () => {
    const context = [entry('Cats sleep a lot.', { filename: 'cats.txt' }), guide]
    const { answer, citations } = ask('Who built the hotel?', context)
    expect(answer).toContain('Anna Berg. [^1]')
    for (const { index, snippet, score } of citations) {
      expect(context[index]?.chunk_text).toContain(snippet)
      expect(score).toBe(context[index]?.score)
    }
  })

  test('have one marker each in the answer, in the same order', () => {
    const station = entry('Parking at the station costs 3 euros an hour.')
    const { answer, citations } = ask('How much is parking?', [guide, station])
    const markers = [...answer.matchAll(/\[\^(\d+)\]/g)].map((match) => Number(match[1]))
    expect(markers).toEqual(citations.map(({ index }) => index))
    expect(markers.length).toBeGreaterThan(1)
  })

  test('markers in the text of a document are removed', () => {
    expect(ask('Who built the hotel?', [entry('The hotel was built by Anna Berg [^7].')]).answer).toBe(
      'The hotel was built by Anna Berg. [^0]',
    )
  })
})

describe('no answer is invented', () => {
  const nothing = { answer: expect.stringMatching(/nothing relevant/i), citations: [] }

  test.each([
    'What is the capital of Mongolia?',
    'When was the old harbour of Ulan Bator in Mongolia flooded?',
    'What is the airspeed velocity of an unladen swallow?',
    'Explain quantum chromodynamics',
    '',
    '???',
  ])('the answer to %j is that nothing was found', (question) => {
    expect(ask(question)).toEqual(nothing)
  })

  test('without context, the answer is that nothing was found', () => {
    expect(ask('Who built the hotel?', [])).toEqual(nothing)
    expect(ask('Who built the hotel?', [entry(' \n ')])).toEqual(nothing)
  })

  test('every word of an answer is in the context', () => {
    const words = new Set(guide.chunk_text.toLowerCase().match(/[\p{L}\p{N}]+/gu))
    for (const question of [
      'Who is the manager?',
      'When does it open on Sunday?',
      'Are dogs welcome?',
      'Which fees are there?',
    ]) {
      const answerWords =
        ask(question)
          .answer.replace(/\[\^\d+\]/g, '')
          .toLowerCase()
          .match(/[\p{L}\p{N}]+/gu) ?? []
      expect(answerWords.filter((word) => !words.has(word))).toEqual([])
    }
  })
})

describe('documents in other languages', () => {
  test.each([
    [
      'Wann wurde das Museum eröffnet?',
      'Die Häuser in der Altstadt wurden nach dem Krieg wieder aufgebaut. Der Bürgermeister hat das Museum im Jahr 1998 eröffnet.',
      '1998',
    ],
    [
      'Qui a inauguré le musée ?',
      'Les maisons de la vieille ville ont été reconstruites après la guerre. La maire Anne Morel a inauguré le musée en 1998.',
      'Anne Morel',
    ],
    [
      'В каком году открыли музеи?',
      'Дома в старом городе были восстановлены после войны. Мэр открыл музей в 1998 году.',
      '1998',
    ],
    [
      'متى افتتح المتحف؟',
      'أعيد بناء المنازل في المدينة القديمة بعد الحرب. افتتح رئيس البلدية المتحف في عام 1998.',
      '1998',
    ],
    ['博物馆什么时候开放？', '老城区的房屋在战后重建。市长于1998年开放了博物馆。', '1998'],
    ['博物館はいつ開館しましたか。', '旧市街の家は戦後に再建された。博物館は1998年に開館しました。', '1998'],
  ])('%s', (question, text, fact) => {
    const { answer, citations } = ask(question, [
      { chunk_id: 'a', chunk_text: text, score: 0.5, filename: 'a.txt' },
    ])
    expect(answer).toContain(fact)
    expect(citations).toHaveLength(1)
    expect(answer.length).toBeLessThan(text.length + 8)
  })
})

test('headings of Markdown have no marks in the answer', () => {
  const text = '## Opening hours\n\n- Museum: 9 to 17\n- Archive: 10 to 12\n- Library: 8 to 20\n'
  const context = [{ chunk_id: 'a', chunk_text: text, score: 0.5, filename: 'a.md' }]
  const { answer } = ask('What are the opening hours of the archive?', context)
  expect(answer).toContain('10 to 12')
  expect(answer).not.toContain('#')
})

test.each([
  ['ten thousand white spaces that are no separator', `The lamp is blue.${'\u00a0'.repeat(9_900)}End`],
  ['a table cell of thousands of letters', `${'a'.repeat(4_900)}1 | lamp\n${'b'.repeat(4_900)} | x`],
])('edited chunks do not block the server: %s', async (_, chunk_text) => {
  const context = Array.from({ length: 8 }, (_, at) =>
    entry(chunk_text, { chunk_id: `c${at}`, filename: `${at}.txt` }),
  )
  const work = () => ask('What is the colour of the lamp?', context)
  work()
  expect(await processorMs(work)).toBeLessThan(100)
})

test('only the first terms of a long question are looked up in each passage', () => {
  const letter = (number: number) => String.fromCharCode(98 + (number % 24))
  const terms = Array.from({ length: 1_300 }, (_, at) => `${letter(at)}${letter(at / 24)}`)
  const { wanted } = new Question(terms.join(' ')).in('english')
  expect(wanted.has('bb')).toBe(true)
  expect(wanted.size).toBeLessThanOrEqual(400)
})
