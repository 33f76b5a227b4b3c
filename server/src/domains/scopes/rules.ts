import { CairnError, limits, type ScopeValue, type ScopeValues } from '@cairn/contract'

const namePattern = /^[A-Za-z][A-Za-z0-9_-]*$/
const reservedNames = new Set(['id', 'text', 'chat_id', 'file_id', 'filename'])

function checkName(name: string): void {
  if (!namePattern.test(name) || name.length > limits.scopeNameLength) {
    throw new CairnError(
      'invalid_request',
      `invalid scope name ${JSON.stringify(name.slice(0, 80))}: it must start with a letter and contain only letters, digits, underscores, hyphens, at most ${limits.scopeNameLength}`,
    )
  }
  if (reservedNames.has(name)) throw new CairnError('invalid_request', `the scope name ${name} is reserved`)
}

function checkValue(name: string, value: unknown): ScopeValue {
  if (typeof value === 'string' && value.length > limits.scopeStringLength) {
    throw new CairnError(
      'invalid_request',
      `scope ${name} is longer than ${limits.scopeStringLength} characters`,
    )
  }
  // JSON has no word for infinity, but 1e400 is read as one.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new CairnError('invalid_request', `scope ${name} is a number that is too large`)
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  const got = value === null ? 'null' : Array.isArray(value) ? 'a list' : `an ${typeof value}`
  throw new CairnError('invalid_request', `scope ${name} expects a string, number or boolean, got ${got}`)
}

/**
 * Scope values of an upload, or the filters of a question, on a chat without a configuration: any valid name
 * goes. Sorted by name, so that equal sets have equal JSON. `field` names the parameter in messages.
 */
export function checkScopes(values: unknown, field: string): ScopeValues {
  if (values === undefined || values === null) return {}
  if (typeof values !== 'object' || Array.isArray(values)) {
    throw new CairnError('invalid_request', `${field} must be a JSON object of names and values`)
  }
  const entries = Object.entries(values)
  if (entries.length > limits.scopesPerChat) {
    throw new CairnError('invalid_request', `${field} must not name more than ${limits.scopesPerChat} scopes`)
  }
  const checked = entries.map(([name, value]): [string, ScopeValue] => {
    checkName(name)
    return [name, checkValue(name, value)]
  })
  return Object.fromEntries(checked.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** `checkScopes` for a form field, which holds the object as JSON text. */
export function parseScopes(text: string | undefined, field: string): ScopeValues {
  if (text === undefined || text.trim() === '') return {}
  let values: unknown
  try {
    values = JSON.parse(text)
  } catch {
    throw new CairnError('invalid_request', `${field} must be a JSON object`)
  }
  return checkScopes(values ?? [], field)
}

/** Every filter names a scope the document has, with the same value of the same type. */
export function matchesScopes(values: ScopeValues, filters: ScopeValues): boolean {
  return Object.entries(filters).every(
    ([name, value]) => Object.hasOwn(values, name) && values[name] === value,
  )
}
