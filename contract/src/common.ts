import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { limits } from './limits.ts'

/** An optional field of a request body. `null` counts as absent, because many clients send `null` for "not set". */
export function absent<T extends TSchema>(schema: T) {
  // The API description leaves out this null.
  return Type.Optional(Type.Union([schema, Type.Null()], { nullIsAbsent: true }))
}

/** An object in a request body. The server ignores unknown fields. */
export function body<T extends TProperties>(properties: T) {
  return Type.Object(properties)
}

/** A name chosen by a person: 1 to 200 characters, not blank, without control characters. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]+$',
})

/** An id in a request body. Unlike an id in the path, it is named by the message that rejects control characters. */
export function idOf(description: string, maxLength = 200) {
  return Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]+$', description })
}

export const JsonObject = Type.Record(Type.String(), Type.Unknown())

export const Timestamp = Type.String({ format: 'date-time' })

/** The query of a list that is sorted newest first. */
export const PageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.listMax, default: limits.listDefault })),
  cursor: Type.Optional(Type.String({ description: 'the X-Next-Cursor header of the previous page' })),
})
export type PageQuery = Static<typeof PageQuery>

/** The same for lists that most clients read whole, with larger pages. */
export const LongPageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.listMax, default: limits.listMax })),
  cursor: PageQuery.properties.cursor,
})

/** Fields of every error body. */
const errorDetails = {
  type: Type.String({ description: "the error's code in the catalogue of the reference" }),
  param: Type.Optional(Type.String({ description: 'the field at fault, if it is one' })),
  request_id: Type.String({ description: 'the X-Request-Id of the response' }),
}

/** Error body of the project API. */
export const ProjectErrorBody = Type.Object({
  error: Type.Object({
    code: Type.Integer({ description: 'the HTTP status' }),
    message: Type.String(),
    ...errorDetails,
  }),
})
export type ProjectErrorBody = Static<typeof ProjectErrorBody>

/** Error body of all other APIs. */
export const DetailErrorBody = Type.Object({ detail: Type.String(), ...errorDetails })
export type DetailErrorBody = Static<typeof DetailErrorBody>

/** The last event of an answer that failed after its first event. `data` is the message. */
export const AnswerErrorEvent = Type.Object({
  type: Type.Literal('error'),
  data: Type.String(),
  error: Type.Object(errorDetails),
})

export const ProjectParams = Type.Object({ project_id: Type.String() })
export const ChatParams = Type.Object({ chat_id: Type.String() })
