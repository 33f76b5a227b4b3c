import type { VersionConfig } from '@cairn/sdk'

const fields = ['model', 'prompt', 'temperature', 'max_tokens'] as const

/** A configuration as editable text. */
export function toText(config: VersionConfig | null | undefined): string {
  return JSON.stringify(config ?? { model: '', prompt: '' }, null, 2)
}

/** A configuration in the form, with every field as text. */
export type ConfigDraft = Record<(typeof fields)[number], string>

export function draftOf(config: VersionConfig | null | undefined): ConfigDraft {
  return {
    model: config?.model ?? '',
    prompt: config?.prompt ?? '',
    temperature: config?.temperature?.toString() ?? '',
    max_tokens: config?.max_tokens?.toString() ?? '',
  }
}

/** Validates the form; empty fields are left out. */
export function checkDraft({ model, prompt, temperature, max_tokens: tokens }: ConfigDraft): CheckedConfig {
  const config = {
    ...(model.trim() !== '' && { model: model.trim() }),
    ...(prompt !== '' && { prompt }),
    ...(temperature.trim() !== '' && { temperature: Number(temperature) }),
    ...(tokens.trim() !== '' && { max_tokens: Number(tokens) }),
  }
  const error = wrongField(config)
  if (error !== undefined) return { error }
  return { config: Object.keys(config).length > 0 ? config : undefined }
}

export type CheckedConfig = { config: VersionConfig | undefined } | { error: string }

/** Validates a configuration before it is sent; a blank text means no configuration. */
export function checkConfig(text: string): CheckedConfig {
  if (text.trim() === '') return { config: undefined }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { error: `This is not JSON: ${(error as Error).message}` }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { error: 'The configuration must be an object: { "model": …, "prompt": … }' }
  }
  const unknown = Object.keys(value).filter((name) => !(fields as readonly string[]).includes(name))
  if (unknown.length > 0) {
    return { error: `${unknown.join(', ')}: unknown field. A configuration has ${fields.join(', ')}.` }
  }
  const error = wrongField(value as Record<string, unknown>)
  return error === undefined ? { config: value as VersionConfig } : { error }
}

function wrongField(config: Record<string, unknown>): string | undefined {
  const { model, prompt, temperature, max_tokens: tokens } = config
  if (model !== undefined && (typeof model !== 'string' || model === '')) return 'model must be a name.'
  if (prompt !== undefined && typeof prompt !== 'string') return 'prompt must be a text.'
  if (
    temperature !== undefined &&
    !(typeof temperature === 'number' && temperature >= 0 && temperature <= 2)
  ) {
    return 'temperature must be a number from 0 to 2.'
  }
  if (tokens !== undefined && !(Number.isInteger(tokens) && (tokens as number) >= 1)) {
    return 'max_tokens must be a whole number from 1.'
  }
  return undefined
}

/** Suggests the next version, with the minor number raised; 1.0.0 is the first. */
export function nextVersion(version: string | undefined): string {
  const [, head, minor] = /^(\d+\.)(\d+)\.\d+/.exec(version ?? '') ?? []
  return head === undefined ? '1.0.0' : `${head}${Number(minor) + 1}.0`
}
