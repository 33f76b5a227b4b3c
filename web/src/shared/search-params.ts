/** Search parameters as plain text, so that addresses can be read: a name that comes several times is a list. */
export type SearchText = Record<string, string | string[]>

export function parseSearch(text: string): SearchText {
  const search: SearchText = {}
  const parameters = new URLSearchParams(text)
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name)
    search[name] = values.length === 1 ? (values[0] ?? '') : values
  }
  return search
}

/** Undefined, null, empty texts and empty lists are left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const one of [value].flat()) if (one != null && one !== '') parameters.append(name, String(one))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** The first value of a parameter; undefined without one. */
export function textOf(value: unknown): string | undefined {
  const first = Array.isArray(value) ? value[0] : value
  return first === undefined || first === '' ? undefined : String(first)
}

/** All values of a parameter. */
export function listOf(value: unknown): string[] {
  return [value]
    .flat()
    .filter((one) => one !== undefined && one !== '')
    .map(String)
}

/** A parameter that is one of these; undefined for any other text. */
export function oneOf<Name extends string>(names: readonly Name[], value: unknown): Name | undefined {
  return names.find((name) => name === textOf(value))
}
