import { CairnError } from '@cairn/contract'
import type { Multipart } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { nextTurn } from '../lib/turns.ts'

/** The parts of an upload form; their order does not matter, parts of other names are ignored. */
export interface UploadForm {
  file: { filename: string; bytes: Buffer<ArrayBuffer> }
  fields: Record<string, string>
}

/** A part, read to its end. `filename` is undefined when it came as an ordinary field. */
interface Part {
  name: string
  filename: string | undefined
  bytes: Buffer<ArrayBuffer>
  truncated: boolean
}

/**
 * Reads a multipart form with one `file` part of at most `maxFileBytes`; `fields` are the names of the others
 * that count. A form that is too large is read to its end, so that the client gets to see the refusal; a file
 * that came cut off is never accepted.
 */
export async function readUploadForm(
  request: FastifyRequest,
  maxFileBytes: number,
  fields: readonly string[],
): Promise<UploadForm> {
  if (!request.isMultipart()) {
    throw new CairnError('unsupported_media_type', 'Content-Type must be multipart/form-data here')
  }
  const parts = await readParts(request, maxFileBytes, ['file', ...fields])
  const cut = parts.find((part) => part.truncated)
  if (cut) {
    const what =
      cut.name === 'file' ? `the file is larger than ${maxFileBytes} bytes` : `${cut.name} is too large`
    throw new CairnError('body_too_large', what)
  }
  const twice = parts.find(({ name }, index) => parts.findIndex((part) => part.name === name) !== index)
  if (twice) throw new CairnError('invalid_request', `${twice.name} must be given once`)
  const file = parts.find(({ name }) => name === 'file')
  if (!file?.filename) throw new CairnError('invalid_request', 'file is required, as a part with a file name')
  const others = parts.filter((part) => part !== file)
  return {
    file: { filename: file.filename, bytes: file.bytes },
    fields: Object.fromEntries(others.map(({ name, bytes }) => [name, bytes.toString('utf8')])),
  }
}

/** Text of a field. One that says it is JSON has been parsed on the way. */
function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Some clients send every part, also a plain field, with a file name: both kinds are read alike. */
async function readPart(part: Multipart): Promise<Part> {
  if (part.type === 'field') {
    const { fieldname: name, value, valueTruncated: truncated } = part
    return { name, filename: undefined, bytes: Buffer.from(fieldText(value)), truncated }
  }
  const bytes = await readFile(part.file)
  return { name: part.fieldname, filename: part.filename, bytes, truncated: part.file.truncated }
}

/** Piece by piece: several files of megabytes may arrive at the same time. */
async function readFile(file: AsyncIterable<Buffer>): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = []
  for await (const piece of file) {
    pieces.push(piece)
    await nextTurn()
  }
  return Buffer.concat(pieces)
}

/** The parts of a multipart form that have one of the names. Larger ones are cut off at `maxFileBytes`, and say so. */
export async function readParts(
  request: FastifyRequest,
  maxFileBytes: number,
  names: readonly string[],
): Promise<Part[]> {
  const limits = { fileSize: maxFileBytes, fieldSize: 1024 * 1024, fields: 50, files: 10, parts: 60 }
  const parts: Part[] = []
  try {
    // Throwing at the limit would leave the rest of the body unread.
    const options = { limits, throwFileSizeLimit: false } as Parameters<FastifyRequest['parts']>[0]
    for await (const part of request.parts(options)) {
      const read = await readPart(part)
      if (names.includes(read.name)) parts.push(read)
    }
  } catch (error) {
    // Also when the client went away: then nobody reads this.
    throw new CairnError('invalid_request', 'the multipart form is malformed or incomplete', { cause: error })
  }
  return parts
}
