import { seededRandom } from './random.ts'

/** A made-up thing that documents tell of, with a value for each attribute. */
interface Thing {
  name: string
  values: Record<string, string>
}

interface Attribute {
  key: string
  /** As a column or label says it. */
  label: string
  value: (random: () => number) => string
  /** `{N}` is the name, `{V}` the value. */
  sentences: string[]
  questions: string[]
}

export interface FactDocument {
  filename: string
  text: string
}

export interface FactQuestion {
  question: string
  name: string
  attribute: string
  value: string
  /** Of the document that tells it, and no other does. */
  filename: string
}

const number = (from: number, to: number, unit: string) => (random: () => number) =>
  `${from + Math.floor(random() * (to - from))}${unit}`

const surnames =
  'Abbott Brandvold Carrow Delacey Eastlake Fenwick Garrod Hollis Iverson Jessop Kerrigan Lindqvist'
    .concat(
      ' Merrow Northcote Oakden Pruett Quillan Rosthorn Sallow Tremaine Underhay Vasko Winterton Yarrow',
    )
    .split(' ')
const forenames =
  'Ada Bruno Clara Dmitri Edith Felix Greta Hugo Ines Jonas Karin Leo Mara Nils Olga Pavel'.split(' ')
const towns = 'Aldmere Brackton Colwick Dunsby Eskholm Farleigh Gressing Hadlow Inverly Kelstow Lorne Marwick'
  .concat(' Netherby Ostrava Penhall Quorn Ravensey Stanmer Thirlby Ulverton Wexcombe Yarmley')
  .split(' ')
const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

const attributes: Attribute[] = [
  {
    key: 'length',
    label: 'Length',
    value: number(101, 999, ' metres'),
    sentences: [
      'The {N} is {V} long.',
      'With its {V} of length, the {N} is a known sight.',
      'The length of the {N} is {V}.',
    ],
    questions: ['How long is the {N}?', 'What is the length of the {N}?', 'What length does the {N} have?'],
  },
  {
    key: 'opened',
    label: 'Opened',
    value: number(1801, 1999, ''),
    sentences: [
      'The {N} was opened in {V}.',
      'In {V} the {N} was opened to the public.',
      'It was in {V} that the {N} opened.',
    ],
    questions: [
      'When was the {N} opened?',
      'In which year did the {N} open?',
      'What year was the {N} opened?',
    ],
  },
  {
    key: 'architect',
    label: 'Architect',
    value: (random) => `${pick(random, forenames)} ${pick(random, surnames)}`,
    sentences: [
      'The architect of the {N} was {V}.',
      '{V} designed the {N} as architect.',
      'The {N} is a work of the architect {V}.',
    ],
    questions: [
      'Who was the architect of the {N}?',
      'Which architect designed the {N}?',
      'Name the architect of the {N}.',
    ],
  },
  {
    key: 'cost',
    label: 'Cost',
    value: number(11, 990, ',400 crowns'),
    sentences: ['The {N} cost {V}.', 'Building the {N} cost {V} in all.', 'The cost of the {N} came to {V}.'],
    questions: [
      'How much did the {N} cost?',
      'What was the cost of the {N}?',
      'What did building the {N} cost?',
    ],
  },
  {
    key: 'town',
    label: 'Town',
    value: (random) => pick(random, towns),
    sentences: [
      'The {N} stands in the town of {V}.',
      'The town of the {N} is {V}.',
      'The {N} belongs to the town of {V}.',
    ],
    questions: [
      'In which town is the {N}?',
      'Which town does the {N} belong to?',
      'What town does the {N} stand in?',
    ],
  },
  {
    key: 'visitors',
    label: 'Visitors',
    value: number(1100, 98000, ''),
    sentences: [
      'The {N} has {V} visitors a year.',
      '{V} visitors come to the {N} each year.',
      'Each year the {N} counts {V} visitors.',
    ],
    questions: ['How many visitors does the {N} have?', 'How many visitors come to the {N} each year?'],
  },
]

const heads = [
  'Var',
  'Ost',
  'Kel',
  'Mar',
  'Thorn',
  'Bel',
  'Quen',
  'Ash',
  'Dra',
  'Fen',
  'Hul',
  'Lin',
  'Pel',
  'Ruk',
]
const middles = ['n', 'ri', 'do', 'ma', 'lo', 'vi', 'se', 'ka', 'bu', 'te']
const tails = ['holt', 'wick', 'mere', 'stead', 'gard', 'brook', 'fell', 'combe', 'ley', 'minster']
const kinds = ['Bridge', 'Tower', 'Mill', 'Museum', 'Canal', 'Observatory', 'Theatre', 'Lighthouse']
const sides = ['', '', 'North ', 'South ', 'Old ', 'New ']

const fillers = [
  'The path along the water was repaired by volunteers over several weekends.',
  'Most of the surrounding land is used for grazing and small orchards.',
  'Travellers of the time wrote about the weather more than about buildings.',
  'A committee of residents meets now and then to talk about the upkeep of such places.',
  'Records of the parish are incomplete, since a part of them was lost to damp.',
  'School classes are welcome on weekdays, and guides speak several languages.',
  'The brickwork shows traces of several repairs, none of which is dated.',
  'In winter the wind from the hills makes the footpaths hard to walk.',
  'Local papers reported at length, although few of their claims could be checked.',
  'Old photographs show the square before the lime trees were planted.',
]

/** Names of one family share a word; those of a family and kind differ in "North" and "Old" alone. */
function makeThings(random: () => number, count: number): Thing[] {
  const things = new Map<string, Thing>()
  while (things.size < count) {
    const family = pick(random, heads) + pick(random, middles) + pick(random, tails)
    for (let member = 0; member < 3; member++) {
      const name = `${pick(random, sides)}${family} ${pick(random, kinds)}`
      const values = Object.fromEntries(attributes.map(({ key, value }) => [key, value(random)]))
      if (!things.has(name)) things.set(name, { name, values })
    }
  }
  return [...things.values()].slice(0, count)
}

const fill = (template: string, { name, values }: Thing, { key }: Attribute) =>
  template.replace('{N}', () => name).replace('{V}', () => values[key] ?? '')

function shuffled<T>(random: () => number, list: readonly T[]): T[] {
  return list
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

const filler = (random: () => number, sentences: number) =>
  Array.from({ length: sentences }, () => pick(random, fillers)).join(' ')

type Form = (things: readonly Thing[], random: () => number) => string

/** Sentences of all things in any order, with others between them. */
const prose: Form = (things, random) => {
  const facts = things.flatMap((thing) => attributes.map((attribute) => ({ thing, attribute })))
  return shuffled(random, facts)
    .map(({ thing, attribute }) => {
      const fact = fill(pick(random, attribute.sentences), thing, attribute)
      return `${filler(random, 2)} ${fact} ${filler(random, 1)}`
    })
    .join('\n\n')
}

/** A section for each thing: a list, lines of "key: value", or a table. */
const markdown: Form = (things, random) =>
  things
    .map((thing) => {
      const rows = attributes.map(({ label, key }) => [label, thing.values[key] ?? ''] as const)
      const style = Math.floor(random() * 3)
      const body =
        style === 0
          ? rows.map(([label, value]) => `- ${label}: ${value}`).join('\n')
          : style === 1
            ? rows.map(([label, value]) => `${label}: ${value}`).join('\n')
            : `| Property | Value |\n| --- | --- |\n${rows.map(([label, value]) => `| ${label} | ${value} |`).join('\n')}`
      return `## ${thing.name}\n\n${filler(random, 6)}\n\n${body}\n\n${filler(random, 6)}`
    })
    .join('\n\n')

/** One wide table. */
const table: Form = (things, random) => {
  const header = `| Name | ${attributes.map(({ label }) => label).join(' | ')} |`
  const line = `|${' --- |'.repeat(attributes.length + 1)}`
  const rowOf = ({ name, values }: Thing) =>
    `| ${name} | ${attributes.map(({ key }) => values[key]).join(' | ')} |`
  const parts: string[] = []
  for (let from = 0; from < things.length; from += 5) {
    const rows = things.slice(from, from + 5).map(rowOf)
    parts.push([header, line, ...rows].join('\n'), filler(random, 40))
  }
  return parts.join('\n\n')
}

const csv: Form = (things, random) => {
  const quoted = (text: string) => (text.includes(',') ? `"${text}"` : text)
  const rowOf = ({ name, values }: Thing) =>
    [name, ...attributes.map(({ key }) => quoted(values[key] ?? '')), quoted(filler(random, 12))].join(',')
  return [`Name,${attributes.map(({ label }) => label).join(',')},Notes`, ...things.map(rowOf)].join('\n')
}

const json: Form = (things, random) =>
  JSON.stringify(
    things.map(({ name, values }) => ({ name, ...values, notes: filler(random, 12) })),
    null,
    2,
  )

const forms: { extension: string; form: Form }[] = [
  { extension: 'txt', form: prose },
  { extension: 'md', form: markdown },
  { extension: 'md', form: table },
  { extension: 'txt', form: prose },
  { extension: 'csv', form: csv },
  { extension: 'json', form: json },
]

/**
 * Documents of facts about things whose names, sentences and values are alike, and a question about one fact of each.
 * Every fact is in one document. Similar facts are in the same and in other documents: the same sentence with another name
 * and value, the same name with another attribute, and names with a common word.
 */
export function factCorpus(
  seed: number,
  documents: number,
  thingsPerDocument: number,
): { documents: FactDocument[]; questions: FactQuestion[] } {
  const random = seededRandom(seed)
  const things = shuffled(random, makeThings(random, documents * thingsPerDocument))
  const made: FactDocument[] = []
  const questions: FactQuestion[] = []
  for (let index = 0; index < documents; index++) {
    const { extension, form } = forms[index % forms.length] as (typeof forms)[number]
    const own = things.slice(index * thingsPerDocument, (index + 1) * thingsPerDocument)
    const filename = `register-${index + 1}.${extension}`
    made.push({ filename, text: form(own, random) })
    const thing = pick(random, own)
    const attribute = pick(random, attributes)
    const question = fill(pick(random, attribute.questions), thing, attribute)
    const { name, values } = thing
    questions.push({ question, name, attribute: attribute.key, value: values[attribute.key] ?? '', filename })
  }
  return { documents: made, questions }
}
