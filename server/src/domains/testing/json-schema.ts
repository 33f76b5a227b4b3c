import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'

interface Checker {
  (value: unknown): unknown
  errors?: { instancePath: string; message?: string }[] | null
}

const options = { strict: false, validateFormats: false, logger: false } as const
const draft7 = /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/
const maxCompiled = 50
const compiled = new Map<string, Checker>()

/** Throws for an invalid schema, and for a $ref to another document, because no document is fetched. */
function compile(schema: Record<string, unknown>): Checker {
  if ('$async' in schema) throw new Error('$async is not supported')
  const isOlder = typeof schema.$schema === 'string' && draft7.test(schema.$schema)
  // A new instance per schema, because two schemas may have the same $id.
  const ajv = isOlder ? new Ajv(options) : new Ajv2020(options)
  return ajv.compile(schema) as Checker
}

function compileOnce(schema: Record<string, unknown>): Checker {
  const key = JSON.stringify(schema)
  const known = compiled.get(key)
  if (known) return known
  if (compiled.size >= maxCompiled) compiled.clear()
  const checker = compile(schema)
  compiled.set(key, checker)
  return checker
}

/** The reason why a value is no JSON schema (2020-12, or draft 7 if `$schema` names it); undefined if it is one. */
export function schemaProblem(schema: Record<string, unknown>): string | undefined {
  try {
    compileOnce(schema)
    return undefined
  } catch (error) {
    const { message } = error as Error
    return message.replace(/^schema is invalid: /, '').slice(0, 200)
  }
}

/** The reason why a text is not JSON of this schema; undefined if it is. */
export function mismatch(schema: Record<string, unknown>, text: string): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'the output is no JSON'
  }
  const check = compileOnce(schema)
  if (check(value) === true) return undefined
  const [first] = check.errors ?? []
  return `${first?.instancePath || 'the output'} ${first?.message ?? 'does not fit'}`.slice(0, 300)
}
