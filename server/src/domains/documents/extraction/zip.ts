import { buffer } from 'node:stream/consumers'
import { type Entry, fromBufferPromise } from 'yauzl'
import { ExtractionError } from './errors.ts'
import { decodeText } from './plain-text.ts'

/** Maximum unpacked size of all entries together, and of an entry that is read. */
const [maxTotalBytes, maxEntryBytes] = [200 * 1024 * 1024, 64 * 1024 * 1024]
/**
 * Maximum compression ratio, which applies to entries above `harmlessBytes`. Typical documents have a ratio of 10, very
 * repetitive ones of 50.
 */
const [maxRatio, harmlessBytes] = [200, 1024 * 1024]
const maxEntries = 10_000

/** A ZIP archive with a checked directory. */
export interface Zip {
  names: readonly string[]
  /** The text of an entry, or undefined if there is no such entry. @throws ExtractionError */
  read(name: string): Promise<string | undefined>
}

/**
 * Opens an archive in memory. Only entries that are read are unpacked, and never to more bytes than the directory
 * states.
 *
 * @throws ExtractionError `malicious` for a ZIP bomb, `malformed` for a damaged archive
 */
export async function openZip(file: Buffer): Promise<Zip> {
  const zip = await fromBufferPromise(file, { lazyEntries: true, validateEntrySizes: true }).catch(
    refuseDamaged,
  )
  const entries = new Map<string, Entry>()
  let total = 0
  try {
    for await (const entry of zip.eachEntry()) {
      total += entry.uncompressedSize
      refuseBomb(entry, total, entries.size)
      // Programs differ in which of two entries with the same name they read.
      if (entries.has(entry.fileName)) refuseDamaged()
      entries.set(entry.fileName, entry)
    }
  } catch (error) {
    refuseDamaged(error)
  }
  return {
    names: [...entries.keys()],
    async read(name) {
      const entry = entries.get(name)
      if (!entry) return undefined
      if (entry.isEncrypted()) throw new ExtractionError('malformed', 'The file is protected by a password.')
      if (entry.uncompressedSize > maxEntryBytes) refuseTooLarge()
      try {
        return decodeText(await buffer(await zip.openReadStreamPromise(entry)))
      } catch (error) {
        refuseDamaged(error)
      }
    },
  }
}

function refuseBomb({ uncompressedSize, compressedSize }: Entry, total: number, count: number): void {
  const isBlownUp = uncompressedSize > harmlessBytes && uncompressedSize > maxRatio * compressedSize
  if (isBlownUp || total > maxTotalBytes || count >= maxEntries) refuseTooLarge()
}

function refuseTooLarge(cause?: unknown): never {
  throw new ExtractionError('malicious', 'The file unpacks to far more data than it should.', { cause })
}

function refuseDamaged(cause?: unknown): never {
  if (cause instanceof ExtractionError) throw cause
  if (cause instanceof Error && cause.message.includes('too many bytes')) refuseTooLarge(cause)
  throw new ExtractionError('malformed', 'The file is damaged.', { cause })
}
