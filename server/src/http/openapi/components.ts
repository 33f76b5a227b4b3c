import type { Operation, Parameter, Response } from './types.ts'

/** Gives equal values one name each. Different values with the same name are numbered by first use. */
export class SharedValues<T> {
  readonly values: Record<string, T> = {}
  readonly #names = new Map<string, string>()
  readonly #section: string

  constructor(section: string) {
    this.#section = section
  }

  refer(value: T, name: string): { $ref: string } {
    const text = JSON.stringify(value)
    let known = this.#names.get(text)
    if (known === undefined) {
      known = name
      for (let number = 2; known in this.values; number++) known = `${name}_${number}`
      this.#names.set(text, known)
      this.values[known] = value
    }
    return { $ref: `#/components/${this.#section}/${known}` }
  }
}

/** Moves parameters that several operations or paths have to components. */
export function shareParameters(
  owners: readonly Pick<Operation, 'parameters'>[],
  shared: SharedValues<Parameter>,
): void {
  const all = owners.flatMap(({ parameters = [] }) => parameters)
  const uses = Map.groupBy(all, (parameter) => JSON.stringify(parameter))
  for (const owner of owners) {
    if (!owner.parameters) continue
    owner.parameters = owner.parameters.map((parameter) => {
      const isShared = (uses.get(JSON.stringify(parameter))?.length ?? 0) > 1
      return isShared && 'name' in parameter ? shared.refer(parameter, parameter.name) : parameter
    })
  }
}

type Media = NonNullable<Response['content']>[string]

function mapMedia({ description, content = {} }: Response, change: (media: Media) => Media): Response {
  const media = Object.entries(content).map(([type, each]) => [type, change(each)])
  return { description, content: Object.fromEntries(media) }
}

/** A list of items that another response shows has an empty example. */
function withShortList({ schema, ...rest }: Media, shown: ReadonlySet<string>): Media {
  const isShort = schema.items?.$ref !== undefined && shown.has(schema.items.$ref)
  return { schema, ...rest, ...(isShort && { example: [] }) }
}

/**
 * Moves responses that several operations have to components. Examples are a large part of the document. So a response has
 * one only if it belongs to a request without one, and a list only if no other response shows its items.
 */
export function shareResponses(operations: readonly Operation[], shared: SharedValues<Response>): void {
  const inline = operations
    .flatMap(({ responses }) => Object.values(responses))
    .filter((each) => 'description' in each)
  const uses = Map.groupBy(inline, (response) => JSON.stringify(response))
  const shown = new Set(
    inline.flatMap(({ content = {} }) => Object.values(content)).flatMap(({ schema }) => schema.$ref ?? []),
  )
  const withoutBody = new Set(
    operations
      .filter(({ requestBody }) => !requestBody)
      .flatMap(({ responses }) => Object.values(responses).map((response) => JSON.stringify(response))),
  )
  for (const operation of operations) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if ('$ref' in response) continue
      const text = JSON.stringify(response)
      const isShared = (uses.get(text)?.length ?? 0) > 1
      const isShown = withoutBody.has(text)
      const short = mapMedia(response, (media) =>
        isShown ? withShortList(media, shown) : { schema: media.schema },
      )
      operation.responses[status] = isShared ? shared.refer(short, nameOf(response)) : short
    }
  }
}

/** The name of its schema. */
function nameOf({ content = {} }: Response): string {
  const [{ schema } = { schema: {} }] = Object.values(content)
  const name = (schema.$ref ?? schema.items?.$ref)?.split('/').at(-1) ?? 'Success'
  return schema.items ? `${name}List` : name
}
