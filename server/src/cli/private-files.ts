import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The files that Cairn keeps in its data folder, and drafts of secrets (see `secret-file.ts`). */
const cairnFile = /^(?:cairn\.db(?:-wal|-shm|-journal)?|(?:admin-token|encryption-key)(?:\.[0-9a-f]{12})?)$/

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** Takes permissions from everybody but the owner. */
async function closeToOthers(path: string, mode: number): Promise<void> {
  try {
    const { uid, mode: present } = await stat(path)
    const mayChange = uid === process.getuid?.() || process.getuid?.() === 0
    if (mayChange && (present & 0o077) !== 0) await chmod(path, mode)
  } catch (error) {
    // SQLite has removed its log meanwhile.
    if (codeOf(error) === 'ENOENT') return
    process.stderr.write(`${path} stays open to other users of this machine: ${codeOf(error)}\n`)
  }
}

/**
 * Files that this process makes from now on are for its own user alone. Cairn's files in the data folder become so as well,
 * whoever made them. The folder is closed too, unless it holds other files, which might be meant for others.
 */
export async function keepFilesPrivate(dataDir: string): Promise<void> {
  // Windows has no such permissions.
  if (!process.getuid) return
  process.umask(0o077)
  // Opening the database reports a folder that cannot be read.
  const names = await readdir(dataDir).catch(() => undefined)
  if (!names) return
  const own = names.filter((name) => cairnFile.test(name))
  for (const name of own) await closeToOthers(join(dataDir, name), 0o600)
  if (own.length === names.length) await closeToOthers(dataDir, 0o700)
}
