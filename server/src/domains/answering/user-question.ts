import { CairnError, limits } from '@cairn/contract'
import { parseJsonField } from '../../lib/json/parse.ts'
import { refuseMisspeltFilters } from './question/index.ts'
import type { Turn } from './store.ts'

/** An end user's question, parsed from the fields of a form. */
export interface UserQuestion {
  question: string
  /** The turns in the last `maxMessages` messages before the question, oldest first. */
  history: (maxMessages: number) => Turn[]
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

/** @throws CairnError `invalid_request` for an invalid field */
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
    history: (maxMessages) => (maxMessages === 0 ? [] : toTurns(earlier.slice(-maxMessages))),
    responseTokens: parseTokens(fields.response_tokens),
    isStream: parseSwitch(fields.stream),
    scopeFilters: fields.scope_filters,
  }
}

/**
 * Parses the messages without system messages, because only the app's developer sets the system prompt (in the
 * settings).
 */
function parseMessages(text: string | undefined): Message[] {
  if (text === undefined) refuse('messages is required')
  let list: unknown
  try {
    list = parseJsonField(text)
  } catch {
    refuse('messages must be a JSON array')
  }
  if (!Array.isArray(list) || list.length === 0)
    refuse('messages must be a JSON array of at least one message')
  return list.flatMap((message: unknown) => {
    const { role, content } = (message ?? {}) as Record<string, unknown>
    if (typeof content !== 'string') refuse('messages must each have a text as content')
    if (role === 'system') return []
    if (role === 'user' || role === 'assistant') return [{ role, content }]
    return refuse('messages must each have the role user or assistant')
  })
}

/**
 * Pairs questions with their answers. A question without an answer, and an answer without a question, has '' for the
 * other.
 */
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
