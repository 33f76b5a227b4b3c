import type { ContextEntry, QueryRequest, Usage } from '@cairn/sdk'
import { createSharedState, useSharedState } from '../../ui/shared-state.ts'

/** A question and what became of it. */
export interface Turn {
  id: string
  askedAt: string
  request: QueryRequest
  /** Answered by the draft settings, else by the published ones. */
  isDraft: boolean
  state: 'waiting' | 'streaming' | 'done' | 'stopped' | 'failed'
  answer: string
  /** Undefined until it is known. */
  context?: readonly ContextEntry[]
  model?: string
  usage?: Usage
  error?: string
  /** Until the answer was complete, and until its first word, in ms. */
  tookMs?: number
  firstMs?: number
}

/** Questions of one session, which see those before them. */
export interface Conversation {
  sessionId: string
  chatId: string
  turns: readonly Turn[]
}

/** Conversations that this tab keeps; the oldest go. */
const mostKept = 20
const storageKey = 'cairn.playground'

const conversations = createSharedState<readonly Conversation[]>(stored())

/** What this tab had before it was reloaded; an answer that was under way then is broken off. */
function stored(): Conversation[] {
  try {
    const read = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as Conversation[]
    return read.map(({ turns, ...rest }) => ({ ...rest, turns: turns.map(brokenOff) }))
  } catch {
    return []
  }
}

function brokenOff(turn: Turn): Turn {
  return turn.state === 'waiting' || turn.state === 'streaming' ? { ...turn, state: 'stopped' } : turn
}

/** Newest first. */
export function useConversations(chatId: string): readonly Conversation[] {
  return useSharedState(conversations).filter((one) => one.chatId === chatId)
}

/** Puts a turn at the end of its conversation, which is made if need be and is the newest then. */
export function addTurn(chatId: string, sessionId: string, turn: Turn): void {
  conversations.set((list) => {
    const present = list.find((one) => one.sessionId === sessionId)
    const grown = { chatId, sessionId, turns: [...(present?.turns ?? []), turn] }
    return [grown, ...list.filter((one) => one !== present)].slice(0, mostKept)
  })
  keep()
}

export function changeTurn(id: string, change: (turn: Turn) => Turn): void {
  conversations.set((list) =>
    list.map((one) =>
      one.turns.some((turn) => turn.id === id)
        ? { ...one, turns: one.turns.map((turn) => (turn.id === id ? change(turn) : turn)) }
        : one,
    ),
  )
}

/** In this tab alone: answers quote documents, which shall not outlive the session in the browser. */
export function keep(): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(conversations.get()))
  } catch {
    // Too much, or a browser that keeps nothing: it holds until the page is left.
  }
}
