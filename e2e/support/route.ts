/** The ids for the placeholders of paths. */
export interface Ids {
  project_id: string
  chat_id: string
  trace_id: string
  key_id: string
  score_id: string
  /** An answer of the chat. */
  answer_id: string
  session_id: string
  version_id: string
  /** A scorer of the project. */
  slug: string
  /** A batch and a rule of a scorer. */
  scoring_id: string
  rule_id: string
  suite_id: string
  case_id: string
  /** A finished run of the suite. */
  run_id: string
  price_id: string
  /** A provider that can be stored without a key. */
  provider: string
  model: string
  budget_id: string
  webhook_id: string
  delivery_id: string
  file_id: string
  app_id: string
  /** An end user of the application. */
  user_id: string
  /** Two chunks of the file, and a relationship between them. */
  node_id: string
  other_node_id: string
  relationship_id: string
}

/** A route for the tests. The OpenAPI documents must contain exactly these routes. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  credential: 'none' | 'admin' | 'project-key' | 'chat-key' | 'admin-or-chat-key'
  permission?: 'ingest' | 'read' | 'write' | 'query' | 'admin'
  /** The path names no project: it is the project of the key. Errors are google.rpc.Status. */
  isOfKey?: boolean
  /** Query parameters that the valid request needs, with ids in braces. */
  query?: string
  /** Ids that the valid request uses instead of the tenant's ids. */
  fixed?: Partial<Ids>
  /** Status of the valid request. */
  status: number
  /** A field of the body that must be unique, so that each request needs another value. */
  once?: string
  /** A valid JSON body with every field; a text such as `{chat_id}` is a placeholder of an id. */
  body?: Record<string, unknown>
  required?: readonly string[]
  /** Fields that accept more types than the type of their sample: field path → other types. */
  alsoTakes?: Record<string, readonly JsonType[]>
  /** Fields with arbitrary content, whose nested fields are not changed. */
  free?: readonly string[]
  /** Rejected values of a valid type. */
  wrong?: Record<string, readonly unknown[]>
  /** The name in the error message if it differs from the field. */
  named?: Record<string, string>
  /** Names that the caller may give to something new in the path. */
  newNames?: RegExp
  /** It belongs to no project. */
  ofServer?: boolean
  /** The audit log contains these values instead of fields of the body. */
  hidden?: Record<string, string>
  /** Accepts multipart/form-data with this file. */
  form?: 'note' | 'pdf' | 'app'
  /** The place of the chat id if it is not in the path. */
  chat?: 'body' | 'none'
  /** Rejected for a chat without published settings. */
  needsPublished?: boolean
  /** The valid request deletes resources of other requests. */
  destroys?: boolean
  /** The valid request deletes all documents of the chat, or the chat. */
  clears?: boolean
}

export type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object'
