import { CairnError } from '@cairn/contract'

/** Wrong field names that clients have used for `scope_filters`. */
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
 * Rejects filters under a wrong name. Other unknown fields are ignored, but ignoring a filter would let the answer use
 * documents that the caller wanted to exclude.
 *
 * @throws CairnError `invalid_request`
 */
export function refuseMisspeltFilters(body: object): void {
  const given = body as Record<string, unknown>
  const wrong = misspeltFilters.find((name) => given[name] != null)
  if (wrong === undefined) return
  throw new CairnError(
    'invalid_request',
    `${wrong} is not a field of a question; send the filters as scope_filters`,
  )
}
