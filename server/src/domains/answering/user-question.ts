import { CairnError, limits } from '@cairn/contract'
import { parseJsonField } from '../../lib/json/parse.ts'
import { refuseMisspeltFilters } from './question/index.ts'
import type { Turn } from './store.ts'

/** What an end user asks, as the fields of their form tell. */
export interface UserQuestion {
  question: string
  /** The conversation before it, oldest first: what of it is in the last so many messages. */
  history: (mostMessages: number) => Turn[]
  responseTokens: number | undefined
  isStream: boolean
  /** JSON text, unchecked. */
  scopeFilters: string | undefined
}

interface Message {
  role: 'user' | 'assistant'
  content: string
}

function refuse(message: string): never {
  throw new CairnError('invalid_request', message)
}

export function toUserQuestion(fields: Record<string, string>): UserQuestion {
  refuseMisspeltFilters(fields)
  const messages = parseMessages(fields.messages)
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const question = messages[last]?.content ?? refuse('messages must have a message of the role user')
  if (question.trim() === '') refuse('messages must not end with an empty question')
  if (question.length > limits.questionLength) {
    refuse(`messages must not have a question of more than ${limits.questionLength} characters`)
  }
  const earlier = messages.slice(0, last)
  return {
    question,
    history: (most) => (most === 0 ? [] : toTurns(earlier.slice(-most))),
    responseTokens: parseTokens(fields.response_tokens),
    isStream: parseSwitch(fields.stream),
    scopeFilters: fields.scope_filters,
  }
}

/** What a system message would say is for the developer of the app to say, in the chat's settings: it is left out. */
function parseMessages(text: string | undefined): Message[] {
  if (text === undefined) refuse('messages is required')
  let list: unknown
  try {
    list = parseJsonField(text)
  } catch {
    refuse('messages must be a JSON array')
  }
  if (!Array.isArray(list) || list.length === 0) refuse('messages must be a JSON array of messages')
  return list.flatMap((message: unknown) => {
    const { role, content } = (message ?? {}) as Record<string, unknown>
    if (typeof content !== 'string') refuse('messages must each have a content of text')
    if (role === 'system') return []
    if (role === 'user' || role === 'assistant') return [{ role, content }]
    return refuse('messages must each have the role user or assistant')
  })
}

/** Questions with their answers; what has none, or answers none, has an empty other half. */
function toTurns(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = []
  for (const { role, content } of messages) {
    const last = turns.at(-1)
    if (role === 'assistant' && last?.answer === '') last.answer = content
    else turns.push(role === 'user' ? { question: content, answer: '' } : { question: '', answer: content })
  }
  return turns
}

function parseTokens(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,8}$/.test(text.trim())) return Number(text)
  return refuse('response_tokens must be a whole number of at least 1')
}

function parseSwitch(text = 'false'): boolean {
  const value = text.trim().toLowerCase()
  if (value === 'true' || value === '1') return true
  if (value === 'false' || value === '0') return false
  return refuse('stream must be true or false')
}
