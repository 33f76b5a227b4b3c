import { expect } from 'vitest'
import { type Chunk, chunkText } from './chunking.ts'
import {
  type Extension,
  type ExtractedDocument,
  ExtractionError,
  type ExtractionReason,
  extractText,
} from './extract.ts'

export function bytes(text: string, encoding: BufferEncoding = 'utf8'): Uint8Array {
  return new Uint8Array(Buffer.from(text, encoding))
}

export async function reasonOf(promise: Promise<unknown>): Promise<ExtractionReason | 'no error'> {
  return promise.then(
    () => 'no error' as const,
    (error: unknown) => {
      expect(error).toBeInstanceOf(ExtractionError)
      return (error as ExtractionError).reason
    },
  )
}

/**
 * Extracts a file and splits it into chunks. Checks the offsets of headings and breaks, and the text and length of each
 * chunk.
 */
export async function extractAndChunk(
  content: string | Uint8Array,
  extension: Extension,
): Promise<ExtractedDocument & { chunks: Chunk[] }> {
  const document = await extractText(typeof content === 'string' ? bytes(content) : content, extension)
  const { text, headings, breaks = [] } = document
  expectInOrder(
    headings.map(({ start }) => start),
    text.length,
  )
  expectInOrder(
    breaks.map(({ at }) => at),
    text.length,
  )
  const chunks = chunkText(document)
  for (const chunk of chunks) {
    expect(chunk.text).toBe(text.slice(chunk.start, chunk.end))
    expect(chunk.text.length).toBeLessThanOrEqual(1600)
  }
  return { ...document, chunks }
}

function expectInOrder(offsets: readonly number[], end: number): void {
  let last = 0
  const isWrong = offsets.some((offset) => {
    const wrong = offset < last || offset > end
    last = offset
    return wrong
  })
  expect(isWrong, 'offsets are in order and within the text').toBe(false)
}

/** The heading path of the first chunk that contains a text. */
export function headingPathOf(chunks: readonly Chunk[], text: string): string[] | undefined {
  return chunks.find((chunk) => chunk.text.includes(text))?.headingPath
}
