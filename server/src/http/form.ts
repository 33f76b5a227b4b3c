import { CairnError } from '@cairn/contract'
import type { FastifyRequest } from 'fastify'
import { readParts } from './upload-form.ts'

/** Bytes of one field of a form without files. */
const fieldBytes = 1024 * 1024

/**
 * The fields of a form without files, urlencoded or multipart; others are ignored. An empty field counts as left out: that
 * is how browsers send one that nobody filled in.
 */
export async function readForm(
  request: FastifyRequest,
  names: readonly string[],
): Promise<Record<string, string>> {
  const fields: Record<string, string> = {}
  for (const [name, value] of await readEntries(request, names)) {
    if (!names.includes(name) || value === '') continue
    if (Object.hasOwn(fields, name)) throw new CairnError('invalid_request', `${name} must be given once`)
    fields[name] = value
  }
  return fields
}

async function readEntries(
  request: FastifyRequest,
  names: readonly string[],
): Promise<Iterable<readonly [string, string]>> {
  const { body } = request
  if (!request.isMultipart()) {
    if (body === undefined || body instanceof URLSearchParams) return body ?? []
    throw new CairnError(
      'unsupported_media_type',
      'Content-Type must be application/x-www-form-urlencoded or multipart/form-data here',
    )
  }
  const parts = await readParts(request, fieldBytes, names)
  return parts.map((part) => {
    if (part.truncated) throw new CairnError('body_too_large', `${part.name} is too large`)
    return [part.name, part.bytes.toString('utf8')] as const
  })
}
