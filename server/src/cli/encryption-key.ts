import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { encryptionKeyBytes, parseEncryptionKey } from '../lib/secret-box.ts'
import { readOrCreateSecret } from './secret-file.ts'

/** The configured key, or the key in the data folder. The first start creates that file (mode 0600). */
export async function loadEncryptionKey(configured: Buffer | undefined, dataDir: string): Promise<Buffer> {
  if (configured) return configured
  const file = join(dataDir, 'encryption-key')
  const { text } = await readOrCreateSecret(file, randomBytes(encryptionKeyBytes).toString('base64'))
  const key = parseEncryptionKey(text)
  if (key) return key
  throw new Error(
    `${file} contains no usable key; restore the file from a backup, or delete it and rotate the secrets of webhooks`,
  )
}
