import type { ProviderName, VendorName } from '@cairn/sdk'

const vendorTitles: Record<VendorName, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  compatible: 'OpenAI-compatible server',
  azure: 'Azure OpenAI',
  bedrock: 'Amazon Bedrock',
  vertex: 'Vertex AI',
  mistral: 'Mistral',
  groq: 'Groq',
  openrouter: 'OpenRouter',
  cohere: 'Cohere',
}

const titles: Readonly<Record<string, string>> = vendorTitles

/** The title of a vendor, or the name of a server. */
export function providerTitle(provider: ProviderName): string {
  return titles[provider] ?? provider
}

/** Whether the provider is a server that the administrator has named. */
export function isNamedServer(provider: ProviderName): boolean {
  return titles[provider] === undefined
}
