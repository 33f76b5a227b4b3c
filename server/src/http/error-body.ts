import {
  type CairnError,
  type DetailErrorBody,
  type ErrorCode,
  errorCatalogue,
  type ProjectErrorBody,
} from '@cairn/contract'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'

/** The part of an error that callers see. */
export interface PublicError {
  type: ErrorCode
  status: number
  message: string
  param: string | undefined
}

/** The names of an object's properties, also of an object that is one of several alternatives. */
function propertiesOf(schema: unknown): string[] {
  const {
    properties = {},
    anyOf = [],
    allOf = [],
  } = (schema ?? {}) as {
    properties?: Record<string, TSchema>
    anyOf?: TSchema[]
    allOf?: TSchema[]
  }
  return [...Object.keys(properties), ...[...anyOf, ...allOf].flatMap(propertiesOf)]
}

/** The fields of a route's body, form, query and path. */
function fieldsOf({ routeOptions: { schema, config } }: FastifyRequest): ReadonlySet<string> {
  const parts = [schema?.body, schema?.querystring, schema?.params, config.form]
  return new Set([...parts.flatMap(propertiesOf), ...(config.alsoReads ?? []), 'Idempotency-Key'])
}

/** A field at the start of a message: `spans[0].end must not …`, `url: the host …`. */
const leadingField = /^([\w-]+)((?:\[\d+\]|\.[\w-]+)*)(?=[ :])/

/**
 * The field at fault. Messages about one field begin with its name; only names of the route's own fields count, because
 * other messages may begin with any word.
 */
export function paramOf(error: CairnError, request: FastifyRequest): string | undefined {
  if (error.param !== undefined || error.status >= 500) return error.param
  const [whole, field = ''] = leadingField.exec(error.message) ?? []
  return whole !== undefined && fieldsOf(request).has(field) ? whole : undefined
}

/** The error for a status that a plugin or Node's parser has chosen. */
export function errorOfStatus(status: number): ErrorCode {
  const codes = Object.keys(errorCatalogue) as ErrorCode[]
  const fallback = status >= 500 ? 'internal_error' : 'invalid_request'
  return codes.find((code) => errorCatalogue[code].status === status) ?? fallback
}

/** An error body. `isProject` selects the body of the project API. */
export function errorBody(
  { type, status, message, param }: PublicError,
  requestId: string,
  isProject: boolean,
): ProjectErrorBody | DetailErrorBody {
  const details = { type, ...(param !== undefined && { param }), request_id: requestId }
  return isProject ? { error: { code: status, message, ...details } } : { detail: message, ...details }
}
