import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A listening process of the guides. */
export interface Example {
  url: string
  stop(): Promise<void>
}

/** Starts a script of docs/guides, which prints its address. */
export async function startExample(script: string, env: Record<string, string>): Promise<Example> {
  const entry = fileURLToPath(new URL(`../../docs/guides/${script}`, import.meta.url))
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (part: Buffer) => {
      output += part
      const [, found] = /^listening on (\S+)$/m.exec(output) ?? []
      if (found) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    ended.then(() => reject(new Error(`${script} ended before it listened:\n${output}`)))
  })
  return {
    url,
    stop: async () => {
      child.kill()
      await ended
    },
  }
}
