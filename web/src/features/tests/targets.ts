import type { Target, TargetInput } from '@cairn/sdk'

export type TargetType = Target['type']

/** Title and description of each target type. */
export const targetKinds: Record<TargetType, { title: string; meaning: string }> = {
  default: {
    title: 'Default of the project',
    meaning: 'The first published chat, else the model of the active version, else the built-in answerer.',
  },
  chat: { title: 'Chat', meaning: 'A published chat answers from its documents.' },
  model: {
    title: 'Model',
    meaning: 'A model gets the query with a prompt. Empty fields use the values of the version.',
  },
  http: {
    title: 'HTTP endpoint',
    meaning:
      'Your application gets POST with {"query": "…"} and responds with plain text, or JSON with output or answer.',
  },
  builtin: {
    title: 'Built-in answerer',
    meaning:
      'Needs no model and no documents. It always answers that it found nothing, for trying out a suite.',
  },
}

/** A target as short text, with the title of its chat if it is known. */
export function targetText(target: Target | null, titles: ReadonlyMap<string, string>): string {
  if (!target) return targetKinds.default.title
  const detail = {
    chat: titles.get(target.chat_id ?? '') ?? target.chat_id,
    model: target.model,
    http: target.url,
  }[target.type as 'chat']
  return detail ? `${targetKinds[target.type].title} ${detail}` : targetKinds[target.type].title
}

/** A target in the form, with every field as text. */
export interface TargetDraft {
  type: TargetType
  chatId: string
  model: string
  prompt: string
  temperature: string
  maxTokens: string
  url: string
  outputPath: string
  /** `name: value` on each line. */
  headers: string
  /** Names of the stored headers; their values are never shown. */
  storedHeaders: readonly string[]
}

export function draftOf(target: Target | null | undefined): TargetDraft {
  return {
    type: target?.type ?? 'default',
    chatId: target?.chat_id ?? '',
    model: target?.model ?? '',
    prompt: target?.prompt ?? '',
    temperature: target?.temperature?.toString() ?? '',
    maxTokens: target?.max_tokens?.toString() ?? '',
    url: target?.url ?? '',
    outputPath: target?.output_path ?? '',
    headers: '',
    storedHeaders: target?.header_names ?? [],
  }
}

/** The target for a request: the fields of its type that are not empty. */
export function targetOf(draft: TargetDraft): TargetInput {
  const { type } = draft
  if (type === 'chat') return { type, chat_id: draft.chatId }
  if (type === 'model') {
    return {
      type,
      ...(draft.model && { model: draft.model }),
      ...(draft.prompt && { prompt: draft.prompt }),
      ...(draft.temperature && { temperature: Number(draft.temperature) }),
      ...(draft.maxTokens && { max_tokens: Number(draft.maxTokens) }),
    }
  }
  if (type !== 'http') return { type }
  const headers = headersOf(draft.headers)
  return {
    type,
    url: draft.url.trim(),
    ...(draft.outputPath && { output_path: draft.outputPath }),
    ...(Object.keys(headers).length > 0 && { headers }),
  }
}

function headersOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}
