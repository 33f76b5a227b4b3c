import type { ScopeDefinition } from '@cairn/sdk'

/** Index of the scope that the server complains about; undefined if the message is about no single scope. */
export function refusedScope(message: string, scopes: readonly ScopeDefinition[]): number | undefined {
  const [, place] = /scopes\[(\d+)\]/.exec(message) ?? []
  if (place !== undefined) return Number(place)
  const [, quoted] = /^invalid scope name ("(?:[^"\\]|\\.)*")/.exec(message) ?? []
  // The message truncates long names.
  if (quoted !== undefined) return at(scopes, (name) => JSON.stringify(name.slice(0, 80)) === quoted)
  const [, reserved] = /^the scope name (\S+) is reserved/.exec(message) ?? []
  if (reserved !== undefined) return at(scopes, (name) => name === reserved)
  const [, twice] = /^scopes names (\S+) twice/.exec(message) ?? []
  const last = scopes.map(({ name }) => name).lastIndexOf(twice ?? '')
  return last >= 0 && twice !== undefined ? last : undefined
}

function at(scopes: readonly ScopeDefinition[], fits: (name: string) => boolean): number | undefined {
  const index = scopes.findIndex(({ name }) => fits(name))
  return index >= 0 ? index : undefined
}
