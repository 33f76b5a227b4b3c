/** The ids that paths are filled with. */
export interface Ids {
  project_id: string
  chat_id: string
  trace_id: string
  key_id: string
  score_id: string
  session_id: string
  version_id: string
  /** A scorer of the project. */
  slug: string
  /** A batch of judged traces, and a rule. */
  scoring_id: string
  rule_id: string
  suite_id: string
  case_id: string
  /** Of the suite, over. */
  run_id: string
  price_id: string
  /** One that can be stored without a key. */
  provider: string
  model: string
  budget_id: string
  webhook_id: string
  delivery_id: string
  file_id: string
  app_id: string
  /** A user of the application. */
  user_id: string
  /** Two chunks of the file, and a relationship between them. */
  node_id: string
  other_node_id: string
  relationship_id: string
}

/** A route as the tests know it. `/openapi.json` must hold these and no others. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  credential: 'none' | 'admin' | 'project-key' | 'chat-key' | 'admin-or-chat-key'
  permission?: 'ingest' | 'read' | 'write' | 'query' | 'admin'
  /** Query parameters that the valid request needs, with ids in braces. */
  query?: string
  /** Ids that the valid request takes in the place of the tenant's. */
  fixed?: Partial<Ids>
  /** Status of the valid request. */
  status: number
  /** A field of the body whose value the server takes once; each try needs another. */
  once?: string
  /** A valid JSON body that sets every field there is; a text such as `{chat_id}` stands for an id. */
  body?: Record<string, unknown>
  required?: readonly string[]
  /** Fields that take more than the type of their sample: field path → further types. */
  alsoTakes?: Record<string, readonly JsonType[]>
  /** Fields whose content is free: their insides are not varied. */
  free?: readonly string[]
  /** Values of the right type that are refused all the same. */
  wrong?: Record<string, readonly unknown[]>
  /** What the message names where it is not the field itself. */
  named?: Record<string, string>
  /** It belongs to no project. */
  ofServer?: boolean
  /** What the audit log shows in the place of fields of the body. */
  hidden?: Record<string, string>
  /** Takes multipart/form-data with such a file. */
  form?: 'note' | 'pdf' | 'app'
  /** Where it says which chat it is about, when that is not the path. */
  chat?: 'body' | 'none'
  /** Refused on a chat without published settings. */
  needsPublished?: boolean
  /** The valid request takes away what other requests need. */
  destroys?: boolean
  /** The valid request takes away all that the chat holds, or the chat itself. */
  clears?: boolean
}

export type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object'
