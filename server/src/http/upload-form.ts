import { CairnError, limits } from '@cairn/contract'
import type { Multipart } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { parseJsonField } from '../lib/json/parse.ts'
import { sizeText } from '../lib/size-text.ts'
import { giveWay } from '../lib/turns.ts'

/** The parts of an upload form, in any order. Parts with other names are ignored. */
export interface UploadForm {
  file: { filename: string; bytes: Buffer<ArrayBuffer> }
  fields: Record<string, string>
}

/** A complete part. `filename` is undefined if the part was an ordinary field. */
export interface Part {
  name: string
  filename: string | undefined
  bytes: Buffer<ArrayBuffer>
  truncated: boolean
}

/**
 * Reads a multipart form with one `file` part of at most `maxFileBytes`; `fields` are the names of its other parts. A form
 * over the limit is read to its end, so that the client can receive the error. A file that was cut at the limit is
 * always rejected.
 */
export async function readUploadForm(
  request: FastifyRequest,
  maxFileBytes: number,
  fields: readonly string[],
): Promise<UploadForm> {
  if (!request.isMultipart()) {
    throw new CairnError('unsupported_media_type', 'Content-Type must be multipart/form-data here')
  }
  const parts = await readParts(request, { fileBytes: maxFileBytes, fieldBytes: smallFieldBytes }, [
    'file',
    ...fields,
  ])
  const cut = parts.find((part) => part.truncated)
  if (cut) {
    const what =
      cut.name === 'file' ? `the file is larger than ${sizeText(maxFileBytes)}` : `${cut.name} is too large`
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

/** Maximum bytes of a field without a file. */
const smallFieldBytes = 1024 * 1024
/** Default for the number of files to keep, and the number of parts of any kind. */
const mostFiles = 10
const mostParts = 1000

/**
 * JSON fields are read like files, because the library would parse them at any size; and so is the field of megabytes,
 * because the library would decode it in one step.
 */
function isPartAFile(largeField: string | undefined) {
  return (name: string | undefined, contentType: string | undefined, filename?: string) =>
    filename !== undefined || name === largeField || !!contentType?.startsWith('application/')
}

/** The text of a field. If it is declared as JSON and is a JSON string, the quotation marks are removed. */
function fieldOf(bytes: Buffer<ArrayBuffer>, contentType: string): Buffer<ArrayBuffer> {
  if (!contentType.startsWith('application/json') || bytes[0] !== 0x22) return bytes
  try {
    const value = parseJsonField(bytes.toString('utf8'))
    return typeof value === 'string' ? Buffer.from(value) : bytes
  } catch {
    return bytes
  }
}

/** Some clients send every part with a file name, even plain fields, so both kinds are accepted. */
async function readPart(part: Multipart, { fileBytes, fieldBytes, largeField }: PartLimits): Promise<Part> {
  if (part.type === 'field') {
    const { fieldname: name, value, valueTruncated: truncated } = part
    return { name, filename: undefined, bytes: Buffer.from(String(value)), truncated }
  }
  const { fieldname: name, filename, mimetype } = part
  const isField = filename === undefined
  const { bytes, truncated } = await readFile(part.file, name === largeField ? fieldBytes : fileBytes)
  return {
    name,
    filename,
    bytes: isField ? fieldOf(bytes, mimetype) : bytes,
    truncated,
  }
}

/** Reads one piece at a time, because several files of megabytes may arrive at the same time. The rest is discarded. */
async function readFile(file: AsyncIterable<Buffer>, maxBytes: number) {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of file) {
    if (length <= maxBytes) pieces.push(piece)
    length += piece.length
    await giveWay()
  }
  const bytes = Buffer.concat(pieces)
  return { bytes: bytes.subarray(0, maxBytes), truncated: length > maxBytes }
}

interface PartLimits {
  fileBytes: number
  fieldBytes: number
  /** Number of files to keep, default 10; further files are read and discarded. */
  files?: number
  /** The field that may be larger than a file; its text is UTF-8. */
  largeField?: string
  /** Maximum bytes of the whole form; by default those of the largest upload. */
  formBytes?: number
}

/**
 * The parts of a multipart form with one of the names. Parts over the limit are cut and marked as `truncated`. The library
 * holds every field until the form ends, so a form over its limit is given up as soon as that is seen.
 */
export async function readParts(
  request: FastifyRequest,
  given: PartLimits,
  names: readonly string[],
): Promise<Part[]> {
  const { formBytes = Math.max(limits.bulkBytes, given.fileBytes + given.fieldBytes) } = given
  const { promise: refusal, reject } = Promise.withResolvers<never>()
  const body = request.raw
  let seen = 0
  const count = (piece: Buffer) => {
    seen += piece.length
    if (seen <= formBytes) return
    body.off('data', count).unpipe()
    reject(new CairnError('body_too_large', `the form is larger than ${sizeText(formBytes)}`))
  }
  body.on('data', count)
  try {
    return await Promise.race([readAllParts(request, given, names), refusal])
  } finally {
    body.off('data', count)
  }
}

async function readAllParts(
  request: FastifyRequest,
  given: PartLimits,
  names: readonly string[],
): Promise<Part[]> {
  const { fileBytes, fieldBytes, files = mostFiles, largeField } = given
  const partLimits = {
    // A large field is read like a file.
    fileSize: Math.max(fileBytes, fieldBytes) + 1,
    fieldSize: largeField === undefined ? fieldBytes : smallFieldBytes,
    fields: 50,
    files: mostParts,
    parts: mostParts,
  }
  const parts: Part[] = []
  let kept = 0
  try {
    // An error at the limit would leave the rest of the body unread.
    const options = {
      limits: partLimits,
      isPartAFile: isPartAFile(largeField),
      throwFileSizeLimit: false,
    } as Parameters<FastifyRequest['parts']>[0]
    for await (const part of request.parts(options)) {
      if (part.type === 'file' && (!names.includes(part.fieldname) || kept >= files)) part.file.resume()
      else {
        if (part.type === 'file') kept += 1
        const read = await readPart(part, given)
        if (names.includes(read.name)) parts.push(read)
      }
    }
  } catch (error) {
    // Also reached after a disconnect; then nobody receives the error.
    throw new CairnError('invalid_request', 'the multipart form is malformed or incomplete', { cause: error })
  }
  return parts
}

/** The parts of a form with one of `names`. The form may be multipart, with files, or URL-encoded. */
export async function readAnyForm(
  request: FastifyRequest,
  limits: PartLimits,
  names: readonly string[],
): Promise<Part[]> {
  if (request.isMultipart()) return readParts(request, limits, names)
  const { body } = request
  if (body !== undefined && !(body instanceof URLSearchParams)) {
    throw new CairnError(
      'unsupported_media_type',
      'Content-Type must be multipart/form-data or application/x-www-form-urlencoded here',
    )
  }
  const fields = [...(body ?? [])].filter(([name]) => names.includes(name))
  return fields.map(([name, value]) => {
    const bytes = Buffer.from(value)
    return { name, filename: undefined, bytes, truncated: bytes.length > limits.fieldBytes }
  })
}

/**
 * The texts of form fields. Empty fields count as left out, because browsers send every field of a form. A field that
 * arrived with a file name is read like any other field.
 */
export function textsOf<N extends string>(
  parts: readonly Part[],
  names: readonly N[],
): Partial<Record<N, string>> {
  const texts: Partial<Record<N, string>> = {}
  for (const name of names) {
    const [part, ...others] = parts.filter((each) => each.name === name && each.bytes.length > 0)
    if (others.length > 0) throw new CairnError('invalid_request', `${name} must be given once`)
    if (part?.truncated) throw new CairnError('body_too_large', `${name} is too large`)
    if (part) texts[name] = part.bytes.toString('utf8')
  }
  return texts
}

/** The files of a form with this name. A file input without a chosen file counts as left out. */
export function filesOf(
  parts: readonly Part[],
  name: string,
): { filename: string; bytes: Buffer<ArrayBuffer>; truncated: boolean }[] {
  return parts.flatMap((part) => {
    if (part.name !== name || (!part.filename && part.bytes.length === 0)) return []
    const { filename, bytes, truncated } = part
    if (filename) return [{ filename, bytes, truncated }]
    throw new CairnError('invalid_request', `${name} must be a part with a file name`)
  })
}
