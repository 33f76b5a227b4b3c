import type { ProviderName, VendorName } from '@cairn/contract'
import { vendorOf } from '../../models/providers.ts'
import { isServiceAccount, parseServiceAccount } from '../../models/service-account.ts'
import { checkKey, last4Of, reject } from './address.ts'

/** What the configuration of a provider may and must contain. */
interface Requirements {
  key: 'required' | 'optional'
  url: 'required' | 'optional'
  /** Options by name, with their form. */
  options: Readonly<Record<string, { isRequired: boolean; form: RegExp }>>
}

const ordinary: Requirements = { key: 'required', url: 'optional', options: {} }
const server: Requirements = { key: 'optional', url: 'required', options: {} }
const hostPart = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

const vendors: Partial<Record<VendorName, Requirements>> = {
  compatible: server,
  azure: { ...ordinary, url: 'required' },
  bedrock: {
    ...ordinary,
    options: {
      region: { isRequired: true, form: hostPart },
      access_key_id: { isRequired: false, form: /^\w{16,128}$/ },
    },
  },
  vertex: {
    ...ordinary,
    options: {
      location: { isRequired: false, form: hostPart },
      project: { isRequired: false, form: /^[a-z0-9][a-z0-9.:-]{0,100}$/ },
    },
  },
}

export function requirementsOf(provider: ProviderName): Requirements {
  const vendor = vendorOf(provider)
  return vendor === undefined ? server : (vendors[vendor] ?? ordinary)
}

/** @throws `invalid_request` */
export function checkOptions(
  provider: ProviderName,
  options: Readonly<Record<string, string>>,
): Record<string, string> {
  const known = new Map(Object.entries(requirementsOf(provider).options))
  for (const [name, value] of Object.entries(options)) {
    const option = known.get(name) ?? reject(`options.${name} is not an option of ${provider}`)
    if (!option.form.test(value)) reject(`options.${name} has characters that it cannot have`)
  }
  for (const [name, { isRequired }] of known) {
    if (isRequired && !Object.hasOwn(options, name)) reject(`options.${name} is required for ${provider}`)
  }
  return { ...options }
}

/** Checks a key, and returns the characters of it that may be shown. @throws `invalid_request` */
export function checkKeyOf(provider: ProviderName, key: string): string | null {
  if (provider !== 'vertex' || !isServiceAccount(key)) {
    checkKey(key)
    return last4Of(key)
  }
  try {
    return shownOfAccount(key)
  } catch (error) {
    return reject(`api_key ${error instanceof Error ? error.message : 'is not valid'}`)
  }
}

/** The end of a key that may be shown; for a service account, of the id of its key. */
export function shownOf(provider: ProviderName, key: string): string | null {
  if (provider !== 'vertex' || !isServiceAccount(key)) return last4Of(key)
  try {
    return shownOfAccount(key)
  } catch {
    return null
  }
}

function shownOfAccount(key: string): string | null {
  return last4Of(parseServiceAccount(key).keyId ?? '')
}
