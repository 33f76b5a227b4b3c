import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Returns the trimmed text of a file. If the file does not exist, creates it with `text`, readable only by its owner
 * (mode 0600). If two processes start at once, one creates the file and both return the same text. A kill leaves no partial
 * file, at most a temporary one beside it.
 */
export async function readOrCreateSecret(
  file: string,
  text: string,
): Promise<{ text: string; isNew: boolean }> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    return { text: (await readFile(file, 'utf8')).trim(), isNew: false }
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  try {
    await using handle = await open(draft, 'wx', 0o600)
    await handle.writeFile(`${text}\n`)
    await handle.sync()
    await link(draft, file)
    return { text, isNew: true }
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    return { text: (await readFile(file, 'utf8')).trim(), isNew: false }
  } finally {
    await rm(draft, { force: true })
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
