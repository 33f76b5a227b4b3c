import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { keepSecret } from './secret-file.ts'

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
  const { text: token, isNew } = await keepSecret(file, randomBytes(24).toString('base64url'))
  if (token.length < 16)
    throw new Error(`${file} holds no usable admin token; delete it to have a new one made`)
  return { token, file, isNew }
}
