/** The part of JSON Schema that the contract uses. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  format?: string
  pattern?: string
  const?: unknown
  default?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  allOf?: readonly Schema[]
  items?: Schema
  minItems?: number
  minLength?: number
  minimum?: number
  properties?: Readonly<Record<string, Schema>>
  patternProperties?: Readonly<Record<string, Schema>>
  additionalProperties?: Schema | boolean
  required?: readonly string[] | undefined
  /** An optional field of a request that may be null. The document says once that null counts as left out. */
  nullIsAbsent?: boolean
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  style?: string
  explode?: boolean
  schema: Schema
  example?: unknown
}

export interface Media {
  schema: Schema
  example?: unknown
}

export interface Response {
  description: string
  content?: Record<string, Media>
}

export interface Operation {
  operationId: string
  tags: readonly string[]
  summary: string
  description?: string
  /** Left out if it is that of the document. */
  security?: Record<string, string[]>[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, Response | { $ref: string }>
}
