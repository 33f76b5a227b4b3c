import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CuratedModel, curatedModels } from './curated.ts'
import { installedModels } from './folder.ts'
import { pullModel } from './pull.ts'

const weights = Buffer.from('0123456789'.repeat(1000))
const files: Record<string, Buffer> = {
  'onnx/model.onnx': weights,
  'config.json': Buffer.from('{"architectures":["BertModel"]}'),
}
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const model: CuratedModel = {
  name: 'tiny',
  kind: 'embedding',
  repository: 'someone/tiny',
  revision: 'c'.repeat(40),
  licence: 'MIT',
  megabytes: 1,
  about: '',
  files: [
    { path: 'onnx/model.onnx', name: 'model.onnx', sha256: sha256(weights) },
    { path: 'config.json', name: 'config.json' },
  ],
}

let server: Server
let hub: string
let folder: string
let requests: { path: string; range: string | undefined }[]
let respond: (request: IncomingMessage, response: ServerResponse, file: Buffer) => void

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-pull-'))
  requests = []
  respond = (_, response, file) => response.writeHead(200, { 'content-length': file.length }).end(file)
  server = createServer((request, response) => {
    const [, path = ''] = /resolve\/c{40}\/(.*)$/.exec(request.url ?? '') ?? []
    requests.push({ path, range: request.headers.range })
    const file = files[path]
    if (file) respond(request, response, file)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  hub = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const pull = (changes: Partial<CuratedModel> = {}, quietMs?: number) =>
  pullModel(
    { ...model, ...changes },
    {
      folder,
      hub,
      signal: new AbortController().signal,
      onProgress: () => {},
      ...(quietMs !== undefined && { quietMs }),
    },
  )

it('the list names a commit and a checksum of the weights of every model', () => {
  for (const { revision, licence, files } of curatedModels) {
    expect(revision).toMatch(/^[0-9a-f]{40}$/)
    expect(licence).toBe('Apache-2.0')
    expect(files.find(({ name }) => name === 'model.onnx')?.sha256).toMatch(/^[0-9a-f]{64}$/)
  }
})

it('a pulled model is in the folder with the source, the licence and all checksums', async () => {
  const record = await pull()
  expect(record).toEqual({
    source: `${hub}/someone/tiny/tree/${model.revision}`,
    licence: 'MIT',
    files: {
      'model.onnx': { bytes: weights.length, sha256: sha256(weights) },
      'config.json': { bytes: 31, sha256: sha256(files['config.json'] as Buffer) },
    },
  })
  expect(installedModels(folder)).toMatchObject([{ name: 'tiny', kind: 'embedding', record }])
  expect(await readdir(folder)).toEqual(['tiny'])
})

it('other bytes than those of the checksum are deleted, and nothing is installed', async () => {
  respond = (_, response, file) => response.end(Buffer.concat([file.subarray(1), Buffer.from('x')]))
  await expect(pull()).rejects.toThrow(`instead of ${sha256(weights)}`)
  expect(installedModels(folder)).toEqual([])
  expect(await readdir(join(folder, `.pull-tiny-${'c'.repeat(12)}`))).toEqual([])
})

it('a broken pull keeps the model that was there, and the next one continues', async () => {
  await pull()
  requests = []
  respond = (_, response, file) => {
    response.writeHead(200, { 'content-length': file.length })
    response.write(file.subarray(0, 4_000), () => response.destroy())
  }
  await expect(pull()).rejects.toThrow('pull again to continue')
  expect(installedModels(folder)).toHaveLength(1)
  respond = ({ headers }, response, file) => {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
    const rest = file.subarray(from)
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': rest.length }).end(rest)
  }
  await pull()
  expect(requests.slice(0, 2)).toEqual([
    { path: 'onnx/model.onnx', range: undefined },
    { path: 'onnx/model.onnx', range: 'bytes=4000-' },
  ])
  expect(await readFile(join(folder, 'tiny/model.onnx'))).toEqual(weights)
})

it('a server that ignores the range sends the file anew', async () => {
  respond = (_, response, file) => {
    response.writeHead(200, { 'content-length': file.length })
    response.write(file.subarray(0, 4_000), () => response.destroy())
  }
  await expect(pull()).rejects.toThrow('pull again')
  respond = (_, response, file) => response.end(file)
  await pull()
  expect(await readFile(join(folder, 'tiny/model.onnx'))).toEqual(weights)
})

it('a redirect to another address is followed', async () => {
  respond = (request, response, file) => {
    if (request.url?.startsWith('/cdn')) response.end(file)
    else response.writeHead(302, { location: `/cdn${request.url}` }).end()
  }
  expect((await pull()).files['model.onnx']?.bytes).toBe(weights.length)
})

it('a file whose checksum was recorded must be the same at the next pull', async () => {
  await pull()
  respond = (_, response, file) =>
    response.end(file === weights ? file : Buffer.from('{"architectures":["Other"]}'))
  await expect(pull()).rejects.toThrow('config.json has the checksum')
  expect(await readFile(join(folder, 'tiny/config.json'), 'utf8')).toContain('BertModel')
})

it('a file without end, a missing file and a silent server are clear errors', async () => {
  respond = (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(weights));
    }
    response.on('drain', more)
    more()
  }
  await expect(pull()).rejects.toThrow('is larger than the 1 MB of the model')
  await expect(pull({ files: [{ path: 'missing.json', name: 'missing.json' }] })).rejects.toThrow(
    'answered 404',
  )
  respond = () => {}
  await expect(pull({ name: 'silent' }, 100)).rejects.toThrow('sent nothing for 0.1 seconds')
  server.closeAllConnections()
  server.close()
  await expect(pull({ name: 'away' })).rejects.toThrow('could not be read')
  expect(existsSync(join(folder, 'tiny'))).toBe(false)
})
