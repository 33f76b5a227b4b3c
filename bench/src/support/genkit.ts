import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../e2e/support/free-port.ts'
import { temporaryFolder } from './server.ts'

/** A folder in which `npm install @genkit-ai/telemetry-server` was run. It has hundreds of packages, so we do not install it. */
export const genkitFolder = process.env.CAIRN_BENCH_GENKIT

const program = `
const { startTelemetryServer, LocalFileTraceStore, LocalFileLogStore } = require('@genkit-ai/telemetry-server')
const [port, folder] = process.argv.slice(1)
const roots = { storeRoot: folder, indexRoot: folder }
startTelemetryServer({
  port: Number(port),
  traceStore: new LocalFileTraceStore(roots),
  logStore: new LocalFileLogStore(roots),
})`

/** Runs the work with the URL of Genkit's telemetry server, which stores in a temporary folder. */
export async function withGenkit<T>(packages: string, work: (url: string) => Promise<T>): Promise<T> {
  const [folder, port] = [temporaryFolder(), await freePort()]
  const child = spawn(process.execPath, ['-e', program, String(port), folder.path], {
    cwd: packages,
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  try {
    while (!(await fetch(`${url}/api/__health`).catch(() => undefined))?.ok) {
      if (child.exitCode !== null) throw new Error(`Genkit's server does not start in ${packages}`)
      await pause(50)
    }
    return await work(url)
  } finally {
    if (child.kill('SIGKILL')) await once(child, 'exit')
    folder.remove()
  }
}
