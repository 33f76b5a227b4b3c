import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Cairn's files in the data folder, including unfinished secret files (see `secret-file.ts`). */
const cairnFile = /^(?:cairn\.db(?:-wal|-shm|-journal)?|(?:admin-token|encryption-key)(?:\.[0-9a-f]{12})?)$/

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** Removes all permissions except the owner's. */
async function closeToOthers(path: string, mode: number): Promise<void> {
  try {
    const { uid, mode: present } = await stat(path)
    const mayChange = uid === process.getuid?.() || process.getuid?.() === 0
    if (mayChange && (present & 0o077) !== 0) await chmod(path, mode)
  } catch (error) {
    // SQLite may have removed its log since the folder was read.
    if (codeOf(error) === 'ENOENT') return
    process.stderr.write(`${path} stays readable for other users of this machine: ${codeOf(error)}\n`)
  }
}

/**
 * Makes new files of this process private to its user, and also Cairn's existing files in the data folder. The folder
 * itself becomes private too, unless it contains other files, because those may be meant for other users.
 */
export async function keepFilesPrivate(dataDir: string): Promise<void> {
  // Windows has no such permissions.
  if (!process.getuid) return
  process.umask(0o077)
  // If the folder cannot be read, opening the database reports the error.
  const names = await readdir(dataDir).catch(() => undefined)
  if (!names) return
  const own = names.filter((name) => cairnFile.test(name))
  const others = names.filter((name) => !cairnFile.test(name) && name !== 'models')
  for (const name of own) await closeToOthers(join(dataDir, name), 0o600)
  if (others.length === 0) await closeToOthers(dataDir, 0o700)
}
