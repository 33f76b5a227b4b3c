import { expect, test } from 'vitest'
import type { ChatModel, ObjectRequest } from '../../models/chat.ts'
import { relateByModel } from './by-model.ts'
import type { Relation } from './types.ts'

const passagesOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ text: `Passage ${n}.`, headingPath: [] }))

/** The pairs in a request, as `earlier later`. */
function pairsIn({ messages }: ObjectRequest): string[] {
  const pairs = messages[0]?.content.split('Pairs:\n')[1]?.split('\n') ?? []
  return pairs.map((pair) => pair.replace(' and ', ' '))
}

function modelOf(answer: (pairs: string[], call: number) => unknown) {
  const asked: string[][] = []
  const model: ChatModel = {
    name: 'fake',
    provider: 'openai',
    stream: () => Promise.reject(new Error('not asked')) as never,
    object: async (request) => {
      const pairs = pairsIn(request)
      asked.push(pairs)
      return { value: answer(pairs, asked.length), usage: undefined }
    },
  }
  return { model, asked }
}

const local: Relation[] = [
  { source: 30, target: 3, type: 'ELABORATES', confidence: 0.4 },
  { source: 31, target: 30, type: 'SUPPORTS', confidence: 0.5 },
]
const none = { relationships: [] }
const { signal } = new AbortController()

test('the model gets neighbours and the pairs of the local method, each once, twenty per call', async () => {
  const { model, asked } = modelOf(() => none)
  expect(await relateByModel({ model, passages: passagesOf(42), local, signal })).toEqual([])
  expect(asked.map(({ length }) => length)).toEqual([20, 20, 2])
  expect(new Set(asked.flat())).toHaveLength(42)
  expect(asked.flat()).toContain('3 30')
})

test('for a long document the model gets 400 pairs; the local method decides the others', async () => {
  const { model, asked } = modelOf((pairs) => {
    const [earlier, later] = (pairs[0] ?? '').split(' ').map(Number)
    return { relationships: [{ source: later, target: earlier, type: 'EXPLAINS', confidence: 0.8 }] }
  })
  const far: Relation = { source: 4_000, target: 3_999, type: 'ELABORATES', confidence: 0.4 }
  const made = await relateByModel({ model, passages: passagesOf(5_000), local: [...local, far], signal })
  expect(asked.flat()).toHaveLength(400)
  expect(made.filter(({ method }) => method === 'model')).toHaveLength(20)
  expect(made.at(-1)).toEqual({ ...far, method: 'local' })
})

test('a failed call is the last one, and earlier results are kept', async () => {
  const first = { source: 1, target: 0, type: 'EXPLAINS', confidence: 0.9 }
  const { model, asked } = modelOf((_, call) => {
    if (call === 2) throw new Error('down')
    return { relationships: [first] }
  })
  const made = await relateByModel({ model, passages: passagesOf(80), local, signal })
  expect(asked).toHaveLength(2)
  expect(made).toEqual([
    { ...first, method: 'model', model: 'fake' },
    ...local.map((relation) => ({ ...relation, method: 'local' })),
  ])
})

test('a relation with low confidence of the model is dropped, and also replaces the local one', async () => {
  const unsure = { source: 31, target: 30, type: 'EXPLAINS', confidence: 0.1 }
  const { model } = modelOf((pairs) => (pairs.includes('30 31') ? { relationships: [unsure] } : none))
  expect(await relateByModel({ model, passages: passagesOf(42), local, signal })).toEqual([])
})

test('an abort throws its reason, so that no result is written', async () => {
  const stopping = new AbortController()
  const { model } = modelOf(() => {
    stopping.abort(new Error('stopping'))
    throw new Error('aborted')
  })
  const made = relateByModel({ model, passages: passagesOf(3), local: [], signal: stopping.signal })
  await expect(made).rejects.toThrow('stopping')
})
