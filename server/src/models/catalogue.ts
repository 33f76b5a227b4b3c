/** The built-in answerer: sentences of the documents, no model provider. */
export const extractiveModel = 'cairn-extractive'

/** Names that a request may ask for; the ones the contract lists, with what the credit table adds. */
const knownModels: ReadonlySet<string> = new Set([
  extractiveModel,
  'gpt-4o-mini',
  'gpt-4o',
  'gpt-4',
  'gpt-4-turbo',
  'claude-3-haiku',
  'claude-3-sonnet',
  'claude-3.5-sonnet',
  'claude-3-opus',
  'gemini-pro',
  'gemini-1.5-pro',
])

export function isKnownModel(name: string): boolean {
  return knownModels.has(name)
}

/**
 * Approximate number of tokens: a quarter of the UTF-8 bytes, the rule of thumb providers give for English.
 * The built-in answerer has no tokenizer of its own to count with.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}
