import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { addAbortSignal, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { sha256 } from '../../../lib/hash.ts'

/**
 * How a file is known again. Its name says little: files are moved, and names are used again. A hash of the whole
 * would change when lines are added to the file. So it is known by its beginning: as much as there was of it when
 * it was first imported, up to this size. What is added behind leaves that as it is.
 */
const headBytes = 64 * 1024

/** What an import reads: bytes of JSON Lines. */
export interface ImportSource {
  /** Its first bytes; empty when it cannot be read again, and so not be gone on with. */
  head: Buffer
  /** Bytes to be read in all, compressed or not, where that is known; `bytesRead` comes up to it. */
  size: number | undefined
  readonly bytesRead: number
  /** Bytes of the content, where that is known before it is read. */
  length: number | undefined
  /** The content from a place on; fails once the signal is aborted. */
  chunks(from: number, signal?: AbortSignal): AsyncIterable<Buffer>
}

async function readHead(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of chunks) {
    parts.push(part)
    length += part.length
    if (length >= headBytes) break
  }
  return Buffer.concat(parts).subarray(0, headBytes)
}

/** A compressed file has no place to go to: what was done before is read again and passed over. */
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

/** Throws the system's error when the file cannot be read. */
export async function openFile(path: string): Promise<ImportSource> {
  await using handle = await open(path, 'r')
  const { size } = await handle.stat()
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
  const source = new FileSource(path, size, buffer.readUInt16BE() === 0x1f8b)
  source.head = await readHead(source.chunks(0))
  return source
}

/** What comes in now, and never again. */
export function openStream(stream: Readable): ImportSource {
  const chunks: ImportSource['chunks'] = (_from, signal) => (signal ? addAbortSignal(signal, stream) : stream)
  return { head: Buffer.alloc(0), size: undefined, length: undefined, bytesRead: 0, chunks }
}

/** How a file that begins so is known from now on. */
export function identify(head: Buffer): { source: string; head_bytes: number } {
  return { source: sha256(head), head_bytes: head.length }
}

/** Whether the file begins as the one did that is known by these. */
export function isKnownAs(head: Buffer, known: { source: string; head_bytes: number }): boolean {
  return known.head_bytes <= head.length && sha256(head.subarray(0, known.head_bytes)) === known.source
}
