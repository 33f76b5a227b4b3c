import { CairnError } from '@cairn/contract'

/** Names under which `scope_filters` have been sent. */
export const misspeltFilters = [
  'scope_filter',
  'scope_values',
  'scope_value',
  'scopeFilters',
  'scopeFilter',
  'scopeValues',
  'scopes',
  'scope',
  'filters',
  'filter',
] as const

/**
 * Refuses filters under another name. Other unknown fields are ignored; to ignore these would let an answer draw on
 * everything although its asker meant to narrow it.
 */
export function refuseMisspeltFilters(body: object): void {
  const given = body as Record<string, unknown>
  const wrong = misspeltFilters.find((name) => given[name] != null)
  if (wrong === undefined) return
  throw new CairnError('invalid_request', `${wrong} is no field of a question; its filters are scope_filters`)
}
