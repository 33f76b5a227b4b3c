import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { writeTinyEmbedding, writeTinyRanker } from '../../../test/tiny-model.ts'
import { installedModels, readModel, recordName } from './folder.ts'
import { LocalModels } from './local-models.ts'
import { LocalProcess } from './local-process.ts'

let folder: string
let models: LocalModels
const problems: [string, unknown][] = []
const unaborted = new AbortController().signal

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-local-models-'))
  await writeTinyEmbedding(join(folder, 'words'), { red: [3, 0], green: [0, 4], lamp: [5, 0] })
  await writeTinyRanker(join(folder, 'ranks'), { oil: 2, lamp: 1, sea: -3 })
  await writeTinyEmbedding(join(folder, 'broken'), { a: [1] })
  await writeFile(join(folder, 'broken/model.onnx'), 'no model')
  models = new LocalModels(folder, (...problem) => problems.push(problem))
})
afterAll(async () => {
  models.close()
  await rm(folder, { recursive: true })
})

function embedding() {
  const model = models.embedding('local/words')
  if (!model) throw new Error('the model is not there')
  return model
}

const numbers = (vectors: readonly Float32Array[]) =>
  vectors.map((vector) => [...vector].map((value) => Math.round(1000 * value) / 1000))

/** The processes of local models that this process has started. */
function children(): number[] {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
  return lines
    .split('\n')
    .filter((line) => line.includes('models/local/worker'))
    .map((line) => Number.parseInt(line, 10))
}

it('a vector is the mean of the tokens with length 1, and each text keeps its place', async () => {
  const texts = [
    'Red, green!',
    'red',
    'green',
    'lamp red unknown',
    'green green',
    'RED',
    'lamp',
    'red lamp lamp',
    'green',
  ]
  expect(numbers(await embedding().embed(texts))).toEqual([
    [0.6, 0.8],
    [1, 0],
    [0, 1],
    [1, 0],
    [0, 1],
    [1, 0],
    [1, 0],
    [1, 0],
    [0, 1],
  ])
})

it('a text is cut at the maximum of the tokens, and a long text takes no longer', async () => {
  const long = `${'red '.repeat(14)}${'green '.repeat(200_000)}`
  expect(numbers(await embedding().embed([long]))).toEqual([[1, 0]])
})

it('a cross-encoder scores the passages with the question, best first', async () => {
  const [model] = models.rerankers
  expect(model).toMatchObject({ name: 'local/ranks', isLocal: true })
  const passages = ['the sea', 'a lamp', 'nothing', 'oil and a lamp', 'sea']
  const { ranked, usage } = (await model?.rerank('oil lamp?', passages, unaborted)) ?? {}
  expect(ranked?.slice(0, 2).map(({ index }) => index)).toEqual([3, 1])
  expect(ranked?.[0]?.score).toBeCloseTo(1 / (1 + Math.exp(-2)), 5)
  expect([ranked?.length, usage]).toEqual([5, undefined])
})

it('a model whose process has died is started again', async () => {
  await embedding().embed(['red'])
  const before = children()
  for (const pid of before) process.kill(pid, 'SIGKILL')
  await vi.waitFor(() => expect(children().filter((pid) => before.includes(pid))).toEqual([]))
  expect(numbers(await embedding().embed(['red']))).toEqual([[1, 0]])
})

it('a file that is no model is a failure of this model, with the reason for the log', async () => {
  await expect(models.embedding('local/broken')?.embed(['a'])).rejects.toMatchObject({
    failure: 'broken',
    message: 'the model local/broken failed',
  })
  expect(problems.find(([name]) => name === 'broken')?.[1]).toMatchObject({
    message: expect.stringContaining('cannot be loaded'),
  })
})

it('a pulled file that has changed is not run', async () => {
  const own = join(folder, 'pulled')
  await writeTinyEmbedding(own, { a: [1] })
  const bytes = await readFile(join(own, 'model.onnx'))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const record = { source: 's', licence: 'l', files: { 'model.onnx': { bytes: bytes.length, sha256 } } }
  await writeFile(join(own, recordName), JSON.stringify(record))
  const read = () =>
    installedModels(folder)
      .filter(({ name }) => name === 'pulled')
      .map(readModel)[0]
  expect((await read())?.onnx).toHaveLength(bytes.length)
  await writeFile(join(own, 'model.onnx'), Buffer.concat([bytes, Buffer.from('x')]))
  await expect(read()).rejects.toThrow('model.onnx of the model pulled has changed')
})

it('a call with few steps does not wait for calls with many', async () => {
  const [model] = installedModels(folder).filter(({ name }) => name === 'words')
  if (!model) throw new Error('the model is not there')
  const process = new LocalProcess({ read: () => readModel(model) })
  const ended: string[] = []
  const call = async (name: string, steps: number) => {
    await process.run(Array.from({ length: steps }, () => ({ name: 'embed', task: { texts: ['red'] } })))
    ended.push(name)
  }
  const documents = [call('a', 3), call('b', 3), call('c', 3)]
  await call('question', 1)
  // Every document has finished a step by now.
  await call('later question', 2)
  await Promise.all(documents)
  process.close()
  expect(ended).toEqual(['question', 'later question', 'a', 'b', 'c'])
})

it('a call that gives up while it waits leaves the others alone', async () => {
  const aborter = new AbortController()
  const first = embedding().embed(['red', 'green'])
  const second = embedding().embed(['red'], aborter.signal)
  aborter.abort(new Error('enough'))
  await expect(second).rejects.toThrow('enough')
  expect(numbers(await first)).toEqual([
    [1, 0],
    [0, 1],
  ])
})
