import { CairnError, type ProviderName, type SetProvider } from '@cairn/contract'
import { type SecretBox, SecretBoxError } from '../../lib/secret-box.ts'
import type { ProviderSettings } from '../../models/models.ts'
import { checkBaseUrl, checkHeaders, checkModels, isSameServer } from './address.ts'
import type { ProviderRow } from './store.ts'
import { checkKeyOf, checkOptions, requirementsOf } from './vendors.ts'

const undecryptableKey =
  'its api_key was encrypted with another encryption key; set api_key again, or restore CAIRN_ENCRYPTION_KEY'

/** The context of the encryption: a key that was encrypted for one provider cannot be decrypted for another. */
const placeOf = (provider: string) => `model-provider:${provider}`
const headersPlaceOf = (provider: string) => `${placeOf(provider)}:headers`

/** A key that cannot be decrypted is not replaced by the environment's key, which may belong to another address. */
export function toSettings(
  box: SecretBox,
  { provider, api_key, base_url, models, headers, options }: ProviderRow,
): ProviderSettings {
  const settings = {
    baseUrl: base_url ?? undefined,
    models: JSON.parse(models) as ProviderSettings['models'],
    options: JSON.parse(options) as Record<string, string>,
  }
  try {
    const apiKey = api_key === null ? undefined : box.open(api_key, placeOf(provider))
    const opened = headers === null ? undefined : box.open(headers, headersPlaceOf(provider))
    return {
      ...settings,
      apiKey,
      ...(opened !== undefined && { headers: JSON.parse(opened) as Record<string, string> }),
    }
  } catch (error) {
    if (error instanceof SecretBoxError) return { ...settings, apiKey: undefined, problem: undecryptableKey }
    throw error
  }
}

export function toRow(
  box: SecretBox,
  name: ProviderName,
  request: SetProvider,
  before: ProviderRow | undefined,
): ProviderRow {
  const { api_key, base_url, models, headers, options } = request
  const baseUrl = base_url == null ? null : checkBaseUrl(base_url)
  if (baseUrl === null && requirementsOf(name).url === 'required') {
    throw new CairnError('invalid_request', `base_url is required for ${name}`)
  }
  return {
    provider: name,
    ...toKey(box, name, api_key ?? undefined, baseUrl, before),
    base_url: baseUrl,
    models: JSON.stringify(checkModels(models ?? [])),
    updated_at: Date.now(),
    headers: toHeaders(box, name, headers ?? undefined, baseUrl, before),
    options: JSON.stringify(checkOptions(name, options ?? {})),
  }
}

/** Headers may contain secrets, so they are kept, encrypted and bound to their server like a key. */
function toHeaders(
  box: SecretBox,
  name: ProviderName,
  headers: Record<string, string> | undefined,
  baseUrl: string | null,
  before: ProviderRow | undefined,
): string | null {
  if (headers !== undefined) {
    const checked = checkHeaders(headers)
    return checked ? box.seal(JSON.stringify(checked), headersPlaceOf(name)) : null
  }
  const stored = before?.headers ?? null
  if (stored === null || isSameServer(before?.base_url ?? null, baseUrl)) return stored
  throw new CairnError(
    'invalid_request',
    'headers are required because base_url changes to another server; {} sends none',
  )
}

/** Invariant: a key is sent only to the origin of the `base_url` that it was stored with. */
function toKey(
  box: SecretBox,
  name: ProviderName,
  key: string | undefined,
  baseUrl: string | null,
  before: ProviderRow | undefined,
): Pick<ProviderRow, 'api_key' | 'api_key_last4'> {
  if (key !== undefined) {
    const shown = checkKeyOf(name, key)
    return { api_key: box.seal(key, placeOf(name)), api_key_last4: shown }
  }
  const stored = before?.api_key ?? null
  if (stored !== null && isSameServer(before?.base_url ?? null, baseUrl)) {
    return { api_key: stored, api_key_last4: before?.api_key_last4 ?? null }
  }
  if (stored === null && requirementsOf(name).key === 'optional') {
    return { api_key: null, api_key_last4: null }
  }
  const reason = stored === null ? '' : ' because base_url changes to another server'
  throw new CairnError('invalid_request', `api_key is required for ${name}${reason}`)
}
