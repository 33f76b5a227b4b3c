import { type Static, type TProperties, type TSchema, Type } from 'typebox'

/** An optional field of a request body. `null` counts as absent: many clients send it for "not set". */
export function absent<T extends TSchema>(schema: T) {
  return Type.Optional(Type.Union([schema, Type.Null()]))
}

/** An object of a request body: unknown fields are allowed, and ignored by the server. */
export function body<T extends TProperties>(properties: T) {
  return Type.Object(properties)
}

/** A name that people give: 1 to 200 characters, not blank, without control characters. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]+$',
})

export const JsonObject = Type.Record(Type.String(), Type.Unknown())

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds' })

/** Error body of the project API. */
export const ProjectErrorBody = Type.Object({
  error: Type.Object({ code: Type.Integer({ description: 'the HTTP status' }), message: Type.String() }),
})
export type ProjectErrorBody = Static<typeof ProjectErrorBody>

/** Error body of every other API. */
export const DetailErrorBody = Type.Object({ detail: Type.String() })
export type DetailErrorBody = Static<typeof DetailErrorBody>

export const ProjectParams = Type.Object({ project_id: Type.String() })
export const ChatParams = Type.Object({ chat_id: Type.String() })
