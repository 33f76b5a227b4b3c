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

/** Extracts a file and splits it into chunks; checks the offsets of headings, breaks and chunks. */
export async function read(
  content: string | Uint8Array,
  extension: Extension,
): Promise<ExtractedDocument & { chunks: Chunk[] }> {
  const document = await extractText(typeof content === 'string' ? bytes(content) : content, extension)
  const { text, headings, breaks = [] } = document
  expectGrowing(
    headings.map(({ start }) => start),
    text.length,
  )
  expectGrowing(
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

function expectGrowing(offsets: readonly number[], end: number): void {
  let last = 0
  const isWrong = offsets.some((offset) => {
    const wrong = offset < last || offset > end
    last = offset
    return wrong
  })
  expect(isWrong, 'offsets grow and lie in the text').toBe(false)
}

/** The heading path of the first chunk that contains a text. */
export function pathOf(chunks: readonly Chunk[], text: string): string[] | undefined {
  return chunks.find((chunk) => chunk.text.includes(text))?.headingPath
}
