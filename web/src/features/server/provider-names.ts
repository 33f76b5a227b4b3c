import type { ProviderName } from '@cairn/sdk'

export const providerTitles: Record<ProviderName, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  compatible: 'OpenAI-compatible server',
}
