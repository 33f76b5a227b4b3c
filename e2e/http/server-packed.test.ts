import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Api, createTenant, uploadForm } from '../support/api.ts'
import { adminToken } from '../support/server.ts'
import { tinyPdf } from '../support/tiny-pdf.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const maxBytes = 6 * 1024 * 1024

describe.skipIf(process.platform === 'win32')('the packed server, installed in an empty folder', () => {
  let folder: string
  let tarball: string
  let server: ChildProcess | undefined
  // npx finds the runtime of the tests; an installation with optional dependencies has one of its own.
  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: process.env.HOME }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-packed-'))
    const pack = ['run', '--silent', 'pack', '--workspace', 'server']
    const { stdout } = await run('npm', pack, { cwd: root })
    tarball = join(root, stdout.trim().split('\n').at(-1) ?? '')
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    const install = ['install', '--offline', '--omit=optional', '--no-audit', '--no-fund', tarball]
    await run('npm', install, { cwd: folder, env })
  }, 120_000)
  afterAll(async () => {
    if (server?.pid && server.exitCode === null && server.signalCode === null)
      process.kill(-server.pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  it('has no tests and no sources, and a bounded size', async () => {
    const { stdout } = await run('tar', ['tzf', tarball])
    const files = stdout.trim().split('\n')
    expect(files).toContain('package/web/dist/index.html')
    expect(files.filter((name) => /\.test\.|\.tsx?$|\.map$/.test(name))).toEqual([])
    const own = files.filter((name) => !name.includes('/node_modules/'))
    expect(own.filter((name) => name.includes('/src/'))).toEqual([])
    expect((await stat(tarball)).size).toBeLessThan(maxBytes)
  })

  it('runs under the supervisor with npx, serves the dashboard, takes documents, and stops', async () => {
    server = spawn('npx', ['--offline', 'cairn', 'serve'], {
      cwd: folder,
      env: { ...env, PORT: '0', CAIRN_ADMIN_TOKEN: adminToken },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const exited = once(server, 'exit')
    let output = ''
    for (const stream of [server.stdout, server.stderr]) stream?.on('data', (part) => (output += part))
    await vi.waitFor(() => expect(output).toContain('"msg":"listening"'), { timeout: 30_000, interval: 20 })
    const [, url = ''] = /is listening on (\S+)/.exec(output) ?? []
    const health = await new Api(url).get('/v1/health')
    expect(health.body).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
    const { supervisor } = (await Api.admin(url).ok('GET', '/v1/console/server')).body
    expect(supervisor).toMatchObject({ restarts: 0 })
    expect((await new Api(url).get('/')).text).toContain('/assets/')
    const tenant = await createTenant(url)
    // Libraries with files of their own: for PDF, for the words of a language, and for the page of the API reference.
    const german = 'Die Katzen schlafen auf den Dächern der alten Häuser, und niemand weckt sie. '.repeat(5)
    for (const upload of [uploadForm('a.pdf', tinyPdf('One page.')), uploadForm('b.md', german)]) {
      await tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, upload)
    }
    expect((await new Api(url).get('/docs/static/swagger-ui.css')).status).toBe(200)
    process.kill(-(server.pid ?? 0), 'SIGINT')
    await exited
    await expect(new Api(url).get('/v1/health')).rejects.toThrow()
    expect(output).toContain('"msg":"stopped"')
  })
})
