import { CairnError } from '@cairn/contract'
import type {} from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'

/** The parts of an upload form; their order does not matter, parts of other names are ignored. */
export interface UploadForm {
  file: { filename: string; bytes: Buffer }
  fields: Record<string, string>
}

/**
 * Reads a multipart form with one `file` part of at most `maxFileBytes`. A form that is too large is read to
 * its end, so that the client gets to see the refusal; a file that came cut off is never accepted.
 */
export async function readUploadForm(request: FastifyRequest, maxFileBytes: number): Promise<UploadForm> {
  if (!request.isMultipart()) {
    throw new CairnError('unsupported_media_type', 'Content-Type must be multipart/form-data here')
  }
  const fields: Record<string, string> = {}
  const files: UploadForm['file'][] = []
  let tooLarge: string | undefined
  for await (const part of readParts(request, maxFileBytes)) {
    if (part.type === 'field') {
      if (part.valueTruncated) tooLarge = `the form field ${part.fieldname}`
      fields[part.fieldname] = String(part.value)
      continue
    }
    const bytes = await part.toBuffer()
    if (part.file.truncated) tooLarge = 'the file'
    if (part.fieldname === 'file') files.push({ filename: part.filename, bytes })
  }
  if (tooLarge) throw new CairnError('body_too_large', `${tooLarge} is larger than ${maxFileBytes} bytes`)
  const [file, second] = files
  if (!file?.filename) throw new CairnError('invalid_request', 'file is required, as a part with a file name')
  if (second) throw new CairnError('invalid_request', 'file must be given once')
  return { file, fields }
}

async function* readParts(request: FastifyRequest, maxFileBytes: number) {
  const limits = { fileSize: maxFileBytes, fieldSize: 1024 * 1024, fields: 50, files: 10, parts: 60 }
  try {
    // Throwing at the limit would leave the rest of the body unread.
    yield* request.parts({ limits, throwFileSizeLimit: false } as Parameters<FastifyRequest['parts']>[0])
  } catch (error) {
    if (error instanceof CairnError) throw error
    throw new CairnError('invalid_request', 'the multipart form is malformed or incomplete', { cause: error })
  }
}
