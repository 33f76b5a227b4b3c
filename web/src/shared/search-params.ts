/** Search parameters as plain text, which keeps addresses readable; a repeated name is a list. */
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

/** Leaves out undefined, null, empty texts and empty lists. */
export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const one of [value].flat()) if (one != null && one !== '') parameters.append(name, String(one))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** The first value of a parameter; undefined if there is none. */
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

/** The value of a parameter if it is one of `names`, else undefined. */
export function oneOf<Name extends string>(names: readonly Name[], value: unknown): Name | undefined {
  return names.find((name) => name === textOf(value))
}
