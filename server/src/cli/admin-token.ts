import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readOrCreateSecret } from './secret-file.ts'

export interface AdminToken {
  token: string
  /** The file with the token; absent if the token came from the environment. */
  file?: string
  /** The token was created now, so it must be shown. */
  isNew: boolean
}

/** The configured token, or the token in the data folder. The first start creates that file (mode 0600). */
export async function loadAdminToken(configured: string | undefined, dataDir: string): Promise<AdminToken> {
  if (configured) return { token: configured, isNew: false }
  const file = join(dataDir, 'admin-token')
  const { text: token, isNew } = await readOrCreateSecret(file, randomBytes(24).toString('base64url'))
  if (token.length < 16)
    throw new Error(`${file} contains no usable admin token; delete the file to create a new one`)
  return { token, file, isNew }
}
