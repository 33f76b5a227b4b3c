import { expect, test } from 'vitest'
import { relateLocally } from './local.ts'
import type { Passage } from './types.ts'

const passage = (text: string, ...headingPath: string[]): Passage => ({ text, headingPath })
const bridge = passage(
  'The bridge over the river is closed to lorries. The weight of a lorry bends the girders in the middle of the bridge.',
  'Bridge',
)
const opera = passage(
  'Every seat in the opera house has been covered with red velvet, and the chandelier will be lit again.',
  'Opera',
)
const after = (text: string) => relateLocally([bridge, passage(text, 'Bridge'), opera])

test.each([
  [
    'EXPLAINS',
    'The reason is rust. Because rust has eaten into the girders, they bear half of the weight that they did.',
  ],
  [
    'SUPPORTS',
    'For example, a test with a lorry of 20 tonnes showed that the girders bend by 31 millimetres.',
  ],
  [
    'CONCLUDES',
    'In summary, the bridge over the river cannot bear a lorry until the girders have been replaced.',
  ],
  [
    'ELABORATES',
    'Lorries take the way by the river to the next bridge, and buses go at walking pace over the girders.',
  ],
])('%s: the later passage is the source', (type, text) => {
  expect(after(text)).toEqual([{ source: 1, target: 0, type, confidence: expect.any(Number) }])
})

test('INTRODUCES: the earlier passage is the source', () => {
  const guide = passage(
    'This guide gives an overview of the bridge. The following parts are about its girders.',
    'Guide',
  )
  const found = relateLocally([guide, passage(bridge.text, 'Guide', 'Bridge'), opera])
  expect(found[0]).toMatchObject({ source: 0, target: 1, type: 'INTRODUCES' })
})

test('neighbours about different subjects are not related', () => {
  expect(relateLocally([bridge, opera])).toEqual([])
  expect(relateLocally([bridge])).toEqual([])
  expect(relateLocally([])).toEqual([])
})

test('copies, forms, references and code have no relations', () => {
  expect(relateLocally([bridge, bridge, bridge])).toEqual([])
  const form = (n: number) =>
    passage(`Name: Bridge ${n} Girders: 12 Lorries: none River: Elm Weight: ${n} t Year: 1931`)
  expect(relateLocally([form(1), form(2), form(3)])).toEqual([])
  const code = passage('const bridge = new Bridge(girders)\nreturn bridge.weigh(lorry).map(toTonnes)')
  expect(relateLocally([code, passage('bridge.close(lorry)\nbridge.girders.replace(rust)'), code])).toEqual(
    [],
  )
})

test('for other languages there are no cues and the confidence is lower', () => {
  const german = [
    passage(
      'Die Brücke über den Fluss ist für Lastwagen gesperrt, weil sich die Träger in der Mitte biegen.',
    ),
    passage('Die Träger der Brücke sind vom Rost zerfressen, und sie tragen nur noch die Hälfte der Last.'),
  ]
  const [found] = relateLocally(german)
  expect(found?.type).toBe('ELABORATES')
  expect(found?.confidence).toBeLessThan(0.5)
})

test('a passage is the source of at most four relations', () => {
  const parts = ['girders', 'rust', 'lorry', 'river', 'weight', 'paint']
  const about = parts.map((part) =>
    passage(`The bridge has a ${part} of its own, and the ${part} was seen in May.`, 'Bridge'),
  )
  const end = passage(`In summary, the ${parts.join(', the ')} of the bridge were seen in May.`, 'Bridge')
  const found = relateLocally([...about, end]).filter(({ source }) => source === parts.length)
  expect(found.map(({ type }) => type)).toEqual(Array(4).fill('CONCLUDES'))
})

test('distant passages with the same words are related', () => {
  const words = ['granite', 'walrus', 'trumpet', 'saffron', 'compass', 'velvet', 'glacier', 'pepper']
  const topic = (n: number) =>
    `The ${words[n % 8]} of the ${words[(n * 3 + 1) % 8]} was what they had spoken about in room ${n} until it was late.`
  const passages = Array.from({ length: 60 }, (_, n) => passage(topic(n), 'Talk'))
  passages[5] = passage(
    'A zeppelin is a rigid airship with a frame of duralumin under a skin of cotton.',
    'Talk',
  )
  passages[50] = passage(
    'The zeppelin had a frame of duralumin, and the cotton of the airship was rigid.',
    'Talk',
  )
  const found = relateLocally(passages)
  expect(found.some(({ source, target }) => source === 50 && target === 5)).toBe(true)
})
