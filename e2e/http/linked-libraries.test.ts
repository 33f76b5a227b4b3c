import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { samplePdf } from '../../server/src/domains/documents/extraction/pdf.test-samples.ts'
import { Api, uploadForm } from '../support/api.ts'
import { expectRefusal } from '../support/refusal.ts'
import { startServer } from '../support/server.ts'

const pathOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/** An installation whose PDF library can be a link to another folder, as package managers create it. */
let folder: string
let entry: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-linked-'))
  entry = join(folder, 'server/bin/cairn.mjs')
  for (const name of ['bin', 'dist', 'migrations', 'package.json']) {
    await cp(pathOf(`server/${name}`), join(folder, 'server', name), { recursive: true })
  }
  await mkdir(join(folder, 'server/node_modules/@fastify'), { recursive: true })
  // The server reads the files of its API reference here.
  await link(pathOf('node_modules/@fastify/swagger-ui'), '@fastify/swagger-ui')
  await cp(pathOf('node_modules/@orama'), join(folder, 'server/node_modules/@orama'), { recursive: true })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const link = (path: string, name: string) => symlink(path, join(folder, 'server/node_modules', name))
const extract = (url: string, name: string, content: string | Uint8Array) =>
  Api.admin(url).post('/extract-pdf-text', uploadForm(name, content))
const pdf = samplePdf([[{ text: 'The lamp is blue.', x: 50, y: 700 }]])

it('a missing library is a logged error of the server, not an error of the file', async () => {
  const server = await startServer({ entry })
  expectRefusal(await extract(server.url, 'a.pdf', pdf), { status: 500, project: false })
  // The log arrives over a pipe, so it can be later than the response.
  await expect.poll(() => server.output()).toMatch(/"level":50.*"code":"extraction_failed".*unpdf/)
  expect((await extract(server.url, 'a.txt', 'The lamp is red.')).status).toBe(200)
  await server.stop()
})

it('a library that is a link to another folder is found', async () => {
  await cp(pathOf('node_modules/unpdf'), join(folder, 'elsewhere/unpdf'), { recursive: true })
  await link(join(folder, 'elsewhere/unpdf'), 'unpdf')
  const server = await startServer({ entry })
  const { status, body, text } = await extract(server.url, 'a.pdf', pdf)
  expect(status, text + server.output()).toBe(200)
  expect(body.text).toContain('The lamp is blue.')
  await server.stop()
})
