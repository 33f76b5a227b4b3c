import { CairnError, limits } from '@cairn/contract'
import { parseStoredJson } from '../../../lib/json/stored.ts'

type Scalar = string | number | boolean
type PropertyValue = Scalar | Scalar[]

/** Properties to set on a node or relationship; null deletes a property. */
export type PropertyChanges = Readonly<Record<string, PropertyValue | null>>

function refuse(message: string, param?: string): never {
  throw new CairnError('invalid_request', message, { param })
}

function isScalar(value: unknown): value is Scalar {
  if (typeof value === 'string') return value.length <= limits.propertyTextLength
  // JSON has no literal for infinity, but JSON.parse reads 1e400 as infinity.
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
}

function checkName(name: string, param: string | undefined): void {
  const isGood = name.trim() !== '' && name.length <= limits.propertyNameLength && !/\p{Cc}/u.test(name)
  if (isGood) return
  refuse(
    `the property name ${JSON.stringify(name.slice(0, 80))} must be 1 to ${limits.propertyNameLength} characters, not blank, without control characters`,
    param,
  )
}

function checkValue(name: string, value: unknown, param: string | undefined): PropertyValue | null {
  if (value === null || isScalar(value)) return value
  if (Array.isArray(value) && value.length <= limits.propertyListLength && value.every(isScalar)) return value
  refuse(
    `${name} must be a text (at most ${limits.propertyTextLength} characters), number, boolean, null, or a list of at most ${limits.propertyListLength} of these: properties are flat`,
    param,
  )
}

/**
 * Checks a map of properties and leaves out the `ignored` names.
 *
 * @param field the field of the body that contains the map, unless the body itself is the map
 * @throws CairnError `invalid_request` for an invalid name or value
 */
export function checkProperties(
  given: Readonly<Record<string, unknown>>,
  ignored: ReadonlySet<string>,
  field?: string,
): PropertyChanges {
  const wanted = Object.entries(given).filter(([name]) => !ignored.has(name))
  const checked = wanted.map(([name, value]) => {
    // An error about a name that is empty names no field.
    const param = field ?? (name === '' ? undefined : name)
    checkName(name, param)
    return [name, checkValue(name, value, param)] as const
  })
  return Object.fromEntries(checked)
}

/**
 * Applies the changes to the stored JSON object.
 *
 * @throws CairnError `invalid_request` if the result has too many properties or is too long
 */
export function mergeProperties(stored: string, changes: PropertyChanges): string {
  const merged = { ...(parseStoredJson(stored) as object), ...changes }
  const remaining = Object.entries(merged).filter(([, value]) => value !== null)
  if (remaining.length > limits.propertiesPerNode) {
    refuse(`no more than ${limits.propertiesPerNode} properties can be added`)
  }
  const json = JSON.stringify(Object.fromEntries(remaining))
  if (json.length <= limits.propertiesLength) return json
  refuse(`all properties together must not take more than ${limits.propertiesLength} characters of JSON`)
}
