import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Access, Principal, UserPrincipal } from './access.ts'

/** Gives handlers the types of their TypeBox schemas. */
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
    /** The form may come urlencoded too. It has no files and is read before the handler, unless `hasFiles` says otherwise. */
    takesUrlencoded?: boolean
    hasFiles?: boolean
    /** Fields that the form does not have, but that the handler refuses rather than ignores. */
    alsoReads?: readonly string[]
    /** It takes much memory: past the memory budget it may be refused. Bodies and searches are told by themselves. */
    heavy?: boolean
    /**
     * The body has a list of items that are checked one by one. Limits of a body hold for each item; in the place of an
     * item over a limit, the handler gets the `CairnError` to report.
     */
    hasItems?: boolean
    /** Fields of the body whose values the audit log does not keep. */
    unlogged?: readonly string[]
  }
  interface FastifyRequest {
    /** Set once a key was recognised; absent on routes without one. */
    principal: Principal | undefined
    /** The chat to which a file, node or relationship in the path or body has led; '' where none was named. */
    chatId: string
    /** Set once an end user's token was recognised; absent on other routes. */
    user: UserPrincipal | undefined
  }
}
