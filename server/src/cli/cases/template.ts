import { isObject } from './read.ts'

export type Variables = Record<string, unknown>

/** A template that uses more than plain variables. */
class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

const placeholder = /\{\{-?\s*(.*?)\s*-?\}\}/gs
const name = /^[\p{L}_$][\p{L}\p{N}_$]*(\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u

function valueAt(variables: Variables, path: string): unknown {
  let value: unknown = variables
  for (const part of path.split('.')) {
    value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined
  }
  return value
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Fills variables into `{{name}}` and `{{name.part}}`. A placeholder without a value becomes empty; `missing` lists it.
 *
 * @throws TemplateError for filters, expressions and tags
 */
export function render(template: string, variables: Variables): { text: string; missing: string[] } {
  const missing: string[] = []
  if (/\{[%#]/.test(template))
    throw new TemplateError('the template has tags ({% … %}), which are not supported')
  const text = template.replace(placeholder, (whole, path: string) => {
    if (!name.test(path)) throw new TemplateError(`${whole} is not a plain variable`)
    const value = valueAt(variables, path)
    if (value === undefined || value === null) missing.push(path)
    return value === undefined || value === null ? '' : textOf(value)
  })
  return { text, missing }
}
