import {
  DetailErrorBody,
  type ErrorCode,
  errorCatalogue,
  OtlpStatus,
  ProjectErrorBody,
} from '@cairn/contract'
import type { Access } from '../access.ts'

/** The name of an error response, its description and the schema of its body. */
export interface ErrorResponse {
  name: string
  description: string
  body: object
}

/** Errors of some routes only; these routes list them. */
const modelErrors: ErrorCode[] = ['budget_exceeded', 'model_failed']
const fileErrors: ErrorCode[] = ['processing_timeout']

const description = 'An error. The reference lists all types with their statuses.'

/** `Error`, `ProjectError` or `OtlpError`: the errors of all routes with the same body. */
function commonErrors(access: Access): ErrorResponse {
  if (access.credential !== 'project-key') return { name: 'Error', description, body: DetailErrorBody }
  return access.project === 'of-key'
    ? { name: 'OtlpError', description, body: OtlpStatus }
    : { name: 'ProjectError', description, body: ProjectErrorBody }
}

/**
 * The responses of a route's errors, by status. Errors that most routes have are its `default`, because listing them for
 * each route would be a third of the document.
 */
export function errorResponses(access: Access, hasForm: boolean): Record<string, ErrorResponse> {
  const common = commonErrors(access)
  const asksModel = 'permission' in access && access.permission === 'query'
  const asksModelAsUser = access.credential === 'user' && access.window === 'query'
  const codes = [...(asksModel || asksModelAsUser ? modelErrors : []), ...(hasForm ? fileErrors : [])]
  const special = codes.map((code) => {
    const { status, meaning } = errorCatalogue[code]
    return [status, { name: `${common.name}${status}`, description: meaning, body: common.body }]
  })
  return { default: common, ...Object.fromEntries(special) }
}
