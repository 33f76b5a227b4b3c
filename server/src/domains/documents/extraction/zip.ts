import { buffer } from 'node:stream/consumers'
import { type Entry, fromBufferPromise } from 'yauzl'
import { ExtractionError } from './errors.ts'
import { decodeText } from './plain-text.ts'

/** What all entries together, and one that is read, may unpack to. */
const [maxTotalBytes, maxEntryBytes] = [200 * 1024 * 1024, 64 * 1024 * 1024]
/** Real documents pack to a tenth, dull ones to a fiftieth; what is small does no harm. */
const [maxRatio, harmlessBytes] = [200, 1024 * 1024]
const maxEntries = 10_000

/** An archive whose directory was found to be in order. */
export interface Zip {
  names: readonly string[]
  /** The text of an entry, or undefined when there is none of that name. @throws ExtractionError */
  read(name: string): Promise<string | undefined>
}

/**
 * Opens an archive in memory. Nothing is unpacked but what is read, and of that never more than its directory says.
 *
 * @throws ExtractionError `malicious` for one that unpacks to far more than it holds, `malformed` for a damaged one
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
      // Of two entries of one name, readers differ in which one they take.
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
