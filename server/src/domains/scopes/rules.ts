import {
  CairnError,
  type ConfigureScopes,
  limits,
  reservedScopeNames,
  type ScopeDefinition,
  type ScopeType,
  type ScopeValue,
  type ScopeValues,
  scopeTypes,
} from '@cairn/contract'
import { parseJsonField } from '../../lib/json/parse.ts'

const namePattern = /^[A-Za-z][A-Za-z0-9_-]*$/
const reservedNames: ReadonlySet<string> = new Set(reservedScopeNames)

function refuse(message: string, param?: string): never {
  throw new CairnError('invalid_request', message, { param })
}

function checkName(name: string, field: string): void {
  if (!namePattern.test(name) || name.length > limits.scopeNameLength) {
    refuse(
      `invalid scope name ${JSON.stringify(name.slice(0, 80))}: it must start with a letter and contain only letters, digits, underscores, hyphens, at most ${limits.scopeNameLength}`,
      field,
    )
  }
  if (reservedNames.has(name)) refuse(`the scope name ${name} is reserved`, field)
}

/**
 * Checks a new configuration, and fills in defaults.
 *
 * @throws CairnError `invalid_request`
 */
export function checkDefinitions(scopes: ConfigureScopes['scopes']): ScopeDefinition[] {
  if (scopes.length > limits.scopesPerChat) {
    refuse(`scopes must not name more than ${limits.scopesPerChat} scopes`)
  }
  const names = new Set<string>()
  return scopes.map(({ name, type, required, description }) => {
    checkName(name, 'scopes')
    if (names.has(name)) refuse(`scopes names ${name} twice`)
    names.add(name)
    return {
      name,
      type: type ?? 'string',
      required: required ?? false,
      ...(description != null && { description }),
    }
  })
}

/**
 * The allowed types of a scope's value. Without a configuration, and for allowed custom names, every type is allowed.
 */
function typesOf(
  name: string,
  field: string,
  definitions: readonly ScopeDefinition[],
  allowsOthers: boolean,
): readonly ScopeType[] {
  if (definitions.length === 0) return scopeTypes
  const definition = definitions.find((each) => each.name === name)
  if (!definition && allowsOthers) return scopeTypes
  return definition
    ? [definition.type]
    : refuse(`${field} names ${name}, which is not a configured scope of this chat`)
}

function checkValue(name: string, value: unknown, types: readonly ScopeType[], field: string): ScopeValue {
  const got = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
  if (!types.some((type) => type === got)) {
    refuse(`scope ${name} expects ${types.join(' or ')}, got ${got}`, field)
  }
  if (typeof value === 'string' && value.length > limits.scopeStringLength) {
    refuse(`scope ${name} is longer than ${limits.scopeStringLength} characters`, field)
  }
  // JSON has no literal for infinity, but JSON.parse reads 1e400 as infinity.
  if (typeof value === 'number' && !Number.isFinite(value))
    refuse(`scope ${name} is a number that is too large`, field)
  return value as ScopeValue
}

/**
 * Checks the scope values of an upload, or the filters of a question. The result is sorted by name, so that equal
 * sets have equal JSON.
 *
 * @param field name of the parameter in messages
 * @param definitions the configured scopes; if there are none, any valid name is allowed
 * @param allowsOthers also allows names without a definition, as in the private chats of end users
 * @throws CairnError `invalid_request`
 */
export function checkScopes(
  values: unknown,
  field: string,
  definitions: readonly ScopeDefinition[] = [],
  allowsOthers = false,
): ScopeValues {
  if (values === undefined || values === null) return {}
  if (typeof values !== 'object' || Array.isArray(values)) {
    refuse(`${field} must be a JSON object of names and values`)
  }
  const entries = Object.entries(values)
  if (entries.length > limits.scopesPerChat) {
    refuse(`${field} must not name more than ${limits.scopesPerChat} scopes`)
  }
  const checked = entries.map(([name, value]): [string, ScopeValue] => {
    checkName(name, field)
    return [name, checkValue(name, value, typesOf(name, field, definitions, allowsOthers), field)]
  })
  return Object.fromEntries(checked.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** `checkScopes` for a form field with the object as JSON text. */
export function parseScopes(
  text: string | undefined,
  field: string,
  definitions: readonly ScopeDefinition[] = [],
  allowsOthers = false,
): ScopeValues {
  if (text === undefined || text.trim() === '') return {}
  let values: unknown
  try {
    values = parseJsonField(text)
  } catch {
    refuse(`${field} must be a JSON object`)
  }
  return checkScopes(values ?? [], field, definitions, allowsOthers)
}

/** @throws CairnError `invalid_request` if a required scope has no value */
export function checkRequired(
  values: ScopeValues,
  field: string,
  definitions: readonly ScopeDefinition[],
): void {
  const missing = definitions.find(({ name, required }) => required && !Object.hasOwn(values, name))
  if (missing) refuse(`required scope missing: ${missing.name} must be given in ${field}`, field)
}

/** Whether a document has every scope of the filters, with the same value and type. */
export function matchesScopes(values: ScopeValues, filters: ScopeValues): boolean {
  return Object.entries(filters).every(
    ([name, value]) => Object.hasOwn(values, name) && values[name] === value,
  )
}
