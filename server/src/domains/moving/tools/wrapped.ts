import { isObject } from '../fields.ts'

/** SDKs put a value that is no object into an object with one field, such as `{"output": "…"}`. */
export function unwrapped(value: unknown, name: string): unknown {
  if (!isObject(value)) return value
  const [[key, inner] = [], ...others] = Object.entries(value)
  return key === name && others.length === 0 ? inner : Object.keys(value).length === 0 ? undefined : value
}
