import { TraceFilters } from '@cairn/contract'
import type { RouteOptions } from 'fastify'
import { type Access, anyone } from '../access.ts'
import { SharedValues } from './components.ts'
import { errorResponses } from './errors.ts'
import type { Examples } from './examples.ts'
import { capitalized, type SchemaComponents } from './schemas.ts'
import type { Media, Operation, Parameter, Response, Schema } from './types.ts'

/** The credential of most operations; others list theirs. */
export const commonSecurity = [{ adminToken: [] }]

/** The accepted credentials. The list of each has the permission that a key needs. */
function securityOf(access: Access): Record<string, string[]>[] {
  switch (access.credential) {
    case 'none':
      return []
    case 'admin':
      return commonSecurity
    case 'admin-or-chat-key':
      return [{ adminToken: [] }, { apiKey: ['admin'] }]
    case 'user':
      return [{ idToken: [], appId: [] }]
    case 'chat-key':
      return [{ apiKey: [access.permission] }]
    case 'project-key': {
      const needed = [access.permission]
      // Exporters send the key in several ways.
      const others = access.project === 'of-key' ? [{ apiKeyHeader: needed }, { projectAndKey: needed }] : []
      return [{ apiKey: needed }, ...others]
    }
  }
}

export const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'an API key, tk_…, with the listed permission' },
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'an API key, tk_…' },
  projectAndKey: {
    type: 'http',
    scheme: 'basic',
    description: 'the id of the project as user, a key of it as password',
  },
  idToken: { type: 'http', scheme: 'bearer', description: "the user's ID token, a JWT" },
  appId: { type: 'apiKey', in: 'header', name: 'X-App-ID' },
  adminToken: { type: 'apiKey', in: 'header', name: 'X-Admin-Token' },
}

/** A response with its media types, as some routes declare it. */
interface DeclaredContent {
  description?: string
  content?: Record<string, { schema: Schema }>
}

/** Describes the operations of routes. */
export class Operations {
  readonly responses = new SharedValues<Response>('responses')
  readonly parameters = new SharedValues<Parameter>('parameters')
  readonly #components: SchemaComponents
  readonly #examples: Examples

  constructor(components: SchemaComponents, examples: Examples) {
    this.#components = components
    this.#examples = examples
  }

  describe({ config, schema = {} }: RouteOptions): Operation {
    const access = config?.access ?? anyone
    const { operationId = '', tags = [], summary = '', description } = schema
    const parameters = this.#query(schema.querystring as Schema | undefined)
    const requestBody = this.#requestBody(schema, config, operationId)
    return {
      operationId,
      tags,
      summary,
      ...(description && { description }),
      ...(access.credential !== 'admin' && { security: securityOf(access) }),
      ...(parameters.length > 0 && { parameters }),
      ...(requestBody && { requestBody }),
      responses: {
        ...this.#responses(schema, operationId),
        ...this.#errors(access, config?.form !== undefined),
      },
    }
  }

  #errors(access: Access, hasForm: boolean): Operation['responses'] {
    const errors = Object.entries(errorResponses(access, hasForm))
    const responses = errors.map(([status, { name, description, body }]) => {
      const schema = this.#components.ofBody(body, name)
      return [
        status,
        this.responses.refer({ description, content: { 'application/json': { schema } } }, name),
      ]
    })
    return Object.fromEntries(responses)
  }

  /** The parameters of a path, which all its operations have. */
  ofPath({ schema }: RouteOptions): Parameter[] {
    const { properties = {} } = (schema?.params ?? {}) as Schema
    return Object.entries(properties).map(([name, property]) => this.#parameter('path', name, property, true))
  }

  #query({ properties = {}, required = [] }: Schema = {}): Parameter[] {
    const filters: Readonly<Record<string, Schema>> = TraceFilters.properties
    const hasFilters = Object.keys(filters).every((name) => name in properties)
    const isFilter = (name: string, schema: Schema) =>
      JSON.stringify(schema) === JSON.stringify(filters[name])
    const others = Object.entries(properties).filter(
      ([name, schema]) => !hasFilters || !isFilter(name, schema),
    )
    return [
      ...(hasFilters ? [this.#filters()] : []),
      ...others.map(([name, property]) => this.#parameter('query', name, property, required.includes(name))),
    ]
  }

  /** The filters of traces, as one parameter whose fields are the names in the query. */
  #filters(): Parameter {
    return {
      name: 'filters',
      in: 'query',
      description:
        'Each field is a parameter of its own, such as `?status=error&tag=a`; also `attr.<key>=<value>` and `score.<name>>=0.5`.',
      style: 'form',
      explode: true,
      schema: this.#components.withReferences(TraceFilters as Schema),
    }
  }

  #parameter(place: 'path' | 'query', name: string, property: Schema, isRequired: boolean): Parameter {
    const { description, ...schema } = property
    return {
      name,
      in: place,
      ...(isRequired && { required: true }),
      ...(description !== undefined && { description }),
      schema: this.#components.withReferences(schema),
    }
  }

  #requestBody(
    schema: NonNullable<RouteOptions['schema']>,
    config: RouteOptions['config'],
    operationId: string,
  ): Operation['requestBody'] {
    // A form is not in the route's schema, because it is read part by part and no parsed body exists.
    const body = (config?.form ?? schema.body) as Schema | undefined
    if (!body) return undefined
    const types = config?.form
      ? [...(config.takesUrlencoded ? ['application/x-www-form-urlencoded'] : []), 'multipart/form-data']
      : (schema.consumes ?? ['application/json'])
    const reference = this.#components.ofBody(body, `${capitalized(operationId)}Request`)
    const example = this.#examples.of(reference, true)
    const media = types.map((type, index) => [type, { schema: reference, ...(index === 0 && { example }) }])
    const isRequired = (body.required?.length ?? 0) > 0
    return { ...(isRequired && { required: true }), content: Object.fromEntries(media) }
  }

  #responses(schema: NonNullable<RouteOptions['schema']>, operationId: string): Operation['responses'] {
    const declared = Object.entries((schema.response ?? {}) as Record<string, Schema & DeclaredContent>)
    return Object.fromEntries(
      declared.map(([status, response]) => {
        const { description = 'OK', content = contentOf(response, schema.produces) } = response
        const media = Object.entries(content).map(([type, { schema }], index) => {
          const reference = this.#components.ofBody(schema, `${capitalized(operationId)}Response`)
          // Several types of one response have the same content, or the first one is the usual one.
          return [
            type,
            { schema: reference, ...(index === 0 && { example: this.#examples.of(reference, false) }) },
          ]
        })
        const described: Response = { description, content: Object.fromEntries(media) }
        return [status, described]
      }),
    )
  }
}

function contentOf(schema: Schema, types: readonly string[] = ['application/json']): Record<string, Media> {
  return Object.fromEntries(types.map((type) => [type, { schema }]))
}
