import type { ChatSettings } from '@cairn/sdk'
import { formatCount, plural } from '../../ui/format.ts'

export type SettingName = keyof ChatSettings

/** Every setting of a chat, in the order of display. */
export const settingFields: readonly { name: SettingName; label: string }[] = [
  { name: 'selected_model', label: 'Model' },
  { name: 'temperature', label: 'Temperature' },
  { name: 'max_tokens', label: 'Max tokens' },
  { name: 'custom_prompt', label: 'Prompt' },
  { name: 'conversation_history_limit', label: 'Earlier messages' },
  { name: 'context_files', label: 'Files' },
  { name: 'show_sources_to_users', label: 'Sources for users' },
  { name: 'rerank_model', label: 'Ranking of passages' },
  { name: 'embedding_model', label: 'Embedding model' },
  { name: 'quote_on_failure', label: 'If the provider fails' },
]

/** The value of a setting as text. */
export function settingText(settings: ChatSettings, name: SettingName): string {
  switch (name) {
    case 'selected_model':
      return settings.selected_model
    case 'temperature':
      return String(settings.temperature)
    case 'max_tokens':
      return formatCount(settings.max_tokens)
    case 'custom_prompt':
      return settings.custom_prompt ?? 'None'
    case 'conversation_history_limit':
      return formatCount(settings.conversation_history_limit)
    case 'context_files':
      return settings.context_files === 'all'
        ? 'All, including later uploads'
        : plural(settings.context_files.length, 'chosen file')
    case 'show_sources_to_users':
      return settings.show_sources_to_users ? 'Shown' : 'Hidden'
    case 'rerank_model':
      return rankingText(settings.rerank_model)
    case 'embedding_model':
      return settings.embedding_model ?? 'As set for the server'
    case 'quote_on_failure':
      return settings.quote_on_failure ? 'Quotes of the files' : 'An error'
  }
}

/** The name of what ranks the passages. */
export function rankingText(model: ChatSettings['rerank_model']): string {
  if (model === null) return 'By the search alone'
  return model === 'chat' ? 'By the model that answers' : model
}

/** The settings that differ; the order of chosen files does not matter. */
export function differentSettings(a: ChatSettings, b: ChatSettings): SettingName[] {
  return settingFields.map(({ name }) => name).filter((name) => plain(a[name]) !== plain(b[name]))
}

function plain(value: ChatSettings[SettingName]): string {
  return JSON.stringify(Array.isArray(value) ? value.toSorted() : value)
}
