import { CairnError } from '@cairn/contract'
import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import type { App } from './fastify.ts'
import { readParts } from './upload-form.ts'

/**
 * Reads forms without files, URL-encoded or multipart, before validation. The body becomes an object of texts with the
 * fields of the route's form.
 */
export function registerForms(app: App): void {
  app.addHook('preValidation', async (request) => {
    const { form, takesUrlencoded, hasFiles, alsoReads = [] } = request.routeOptions.config
    if (form && takesUrlencoded && !hasFiles)
      request.body = await readForm(request, [...Object.keys((form as TObject).properties), ...alsoReads])
  })
}

/** The fields of a form that the hook of `registerForms` has read. */
export function fieldsOf({ body }: FastifyRequest): Record<string, string> {
  return body as Record<string, string>
}

/** Maximum bytes of one field of a form without files. */
const fieldBytes = 1024 * 1024

/** Unknown fields are ignored. Empty fields count as left out, because browsers send every field of a form. */
async function readForm(request: FastifyRequest, names: readonly string[]): Promise<Record<string, string>> {
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
  const parts = await readParts(request, { fileBytes: fieldBytes, fieldBytes }, names)
  return parts.map((part) => {
    if (part.truncated) throw new CairnError('body_too_large', `${part.name} is too large`)
    return [part.name, part.bytes.toString('utf8')] as const
  })
}
