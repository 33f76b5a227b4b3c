import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface AdminToken {
  token: string
  /** The file it is kept in; absent when it came from the environment. */
  file?: string
  /** Made just now, so it has to be shown. */
  isNew: boolean
}

/** The configured token, else the one of the data folder, which is made (mode 0600) at first start. */
export async function loadAdminToken(configured: string | undefined, dataDir: string): Promise<AdminToken> {
  if (configured) return { token: configured, isNew: false }
  const file = join(dataDir, 'admin-token')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const token = randomBytes(24).toString('base64url')
  try {
    // Exclusive: of two processes that start at once, one makes it and the other reads it.
    await using handle = await open(file, 'wx', 0o600)
    await handle.writeFile(`${token}\n`)
    await handle.sync()
    return { token, file, isNew: true }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const kept = (await readFile(file, 'utf8')).trim()
    if (kept.length < 16)
      throw new Error(`${file} holds no usable admin token; delete it to have a new one made`)
    return { token: kept, file, isNew: false }
  }
}
