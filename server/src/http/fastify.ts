import type { CairnError } from '@cairn/contract'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  FastifyRequest as Request,
} from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { KeyPrincipal, UserPrincipal } from '../lib/principals.ts'
import type { Access } from './access.ts'

/** Derives the types of handlers from their TypeBox schemas. */
interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxProvider
>

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** The multipart form that the route reads. */
    form?: TSchema
    /** The form may also be URL-encoded. It then has no files and is read before the handler, unless `hasFiles` is set. */
    takesUrlencoded?: boolean
    hasFiles?: boolean
    /** Fields outside of the form that the handler rejects instead of ignoring. */
    alsoReads?: readonly string[]
    /** The route needs much memory, so the memory budget may reject it. Large bodies and searches are also heavy. */
    heavy?: boolean
    /**
     * The body has a list of items that are checked one by one. JSON limits apply to each item. An item over a limit is
     * replaced by the `CairnError` that the handler reports.
     */
    hasItems?: boolean
    /** The body may be compressed; see `unpack`. */
    unpacks?: boolean
    /** The form of the route's errors, if they do not have the form of their API. */
    encodeError?: (error: CairnError, request: Request) => Promise<{ type: string; body: Buffer }>
    /** Body fields whose values are not stored in the audit log. */
    unlogged?: readonly string[]
  }
  interface FastifyRequest {
    /** Set after a key was accepted; absent on routes without a key. */
    principal: KeyPrincipal | undefined
    /** The chat of the file, node or relationship in the path or body; empty if the request names none. */
    chatId: string
    /** Reserves bytes of the budget of bodies until the response; only with `unpacks`. Throws `overloaded`. */
    reserveBody: ((bytes: number) => () => void) | undefined
    /** Set after the token of an end user was accepted; absent on other routes. */
    user: UserPrincipal | undefined
  }
}
