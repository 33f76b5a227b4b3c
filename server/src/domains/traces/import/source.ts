import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { addAbortSignal, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { sha256 } from '../../../lib/hash.ts'

/**
 * A file is identified by the hash of its beginning, up to this size, at its first import. Its name is not used, because
 * files are moved and names are reused. Its whole content is not used, because lines may be appended.
 */
const headBytes = 64 * 1024

/** The content of a file or stream. */
export interface ImportSource {
  /** The first bytes, which show the format. */
  beginning: Buffer
  /** The first bytes; empty if the source can be read only once, so that an import of it cannot continue later. */
  head: Buffer
  /** Total bytes to read, possibly compressed; undefined if unknown. For the progress, together with `bytesRead`. */
  size: number | undefined
  readonly bytesRead: number
  /** Bytes of the uncompressed content; undefined if unknown. */
  length: number | undefined
  /** The content from a position on. It fails after the signal is aborted. */
  chunks(from: number, signal?: AbortSignal): AsyncIterable<Buffer>
}

/** The first chunks of a stream, up to the size of a head. */
async function readBeginning(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  while (length < headBytes) {
    const { done, value } = await chunks.next()
    if (done) break
    parts.push(value)
    length += value.length
  }
  return Buffer.concat(parts)
}

async function readHead(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks = source[Symbol.asyncIterator]()
  const beginning = await readBeginning(chunks)
  await chunks.return?.()
  return beginning.subarray(0, headBytes)
}

/** Skips the first bytes of a stream. A compressed file can only be read from its start. */
async function* skip(chunks: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of chunks) {
    if (left < chunk.length) yield left > 0 ? chunk.subarray(left) : chunk
    left = Math.max(0, left - chunk.length)
  }
}

class FileSource implements ImportSource {
  readonly #path: string
  readonly #isCompressed: boolean
  #stream: { readonly bytesRead: number } | undefined
  #from = 0
  readonly size: number
  readonly length: number | undefined
  head = Buffer.alloc(0) as Buffer

  constructor(path: string, size: number, isCompressed: boolean) {
    this.#path = path
    this.size = size
    this.#isCompressed = isCompressed
    this.length = isCompressed ? undefined : size
  }

  get beginning(): Buffer {
    return this.head
  }

  get bytesRead(): number {
    return this.#from + (this.#stream?.bytesRead ?? 0)
  }

  chunks(from: number, signal?: AbortSignal): AsyncIterable<Buffer> {
    this.#from = this.#isCompressed ? 0 : from
    const stream = createReadStream(this.#path, { start: this.#from, ...(signal && { signal }) })
    this.#stream = stream
    if (!this.#isCompressed) return stream
    const plain = createGunzip()
    stream.on('error', (error) => plain.destroy(error))
    return skip(stream.pipe(plain), from)
  }
}

/** Opens a file, which may be compressed by gzip. Throws the system's error if the file cannot be read. */
export async function openFile(path: string): Promise<ImportSource> {
  await using handle = await open(path, 'r')
  const { size } = await handle.stat()
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
  const source = new FileSource(path, size, buffer.readUInt16BE() === 0x1f8b)
  source.head = await readHead(source.chunks(0))
  return source
}

/** A source that can be read only once, such as standard input. */
export async function openStream(stream: Readable): Promise<ImportSource> {
  const reader: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]()
  const beginning = await readBeginning(reader)
  async function* chunks(_from: number, signal?: AbortSignal) {
    if (signal) addAbortSignal(signal, stream)
    yield beginning
    yield* { [Symbol.asyncIterator]: () => reader }
  }
  return { head: Buffer.alloc(0), beginning, size: undefined, length: undefined, bytesRead: 0, chunks }
}

/** The identification of a file with this beginning, to store. */
export function identify(head: Buffer): { source: string; head_bytes: number } {
  return { source: sha256(head), head_bytes: head.length }
}

/** Whether a file with this beginning is the file with a stored identification. */
export function isIdentifiedBy(head: Buffer, known: { source: string; head_bytes: number }): boolean {
  return known.head_bytes <= head.length && sha256(head.subarray(0, known.head_bytes)) === known.source
}
