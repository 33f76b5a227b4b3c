import type { ContextEntry, QueryRequest, Rating, Usage } from '@cairn/sdk'
import { createSharedState, useSharedState } from '../../ui/shared-state.ts'

/** A question with its answer. */
export interface Turn {
  id: string
  askedAt: string
  request: QueryRequest
  /** Whether the draft settings answer, or the published settings. */
  isDraft: boolean
  state: 'waiting' | 'streaming' | 'done' | 'stopped' | 'failed'
  answer: string
  /** The found passages; undefined until they are known. */
  context?: readonly ContextEntry[]
  model?: string
  usage?: Usage
  /** The id of the complete answer, its rating, and the comment of the rating. */
  answer_id?: string
  rating?: Rating
  comment?: string
  error?: string
  /** The id of the request that failed. */
  requestId?: string | undefined
  /** Milliseconds to the complete answer, and to its first word. */
  tookMs?: number
  firstMs?: number
}

/** The questions of one session; each question is sent with the earlier ones. */
export interface Conversation {
  sessionId: string
  chatId: string
  turns: readonly Turn[]
}

/** Number of conversations kept in this tab; older ones are dropped. */
const mostKept = 20
const storageKey = 'cairn.playground'

const conversations = createSharedState<readonly Conversation[]>(stored())

/** The conversations from before a reload of this tab; answers in progress become stopped. */
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

/** Appends a turn to its conversation, which is created if needed and becomes the newest. */
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

/** Stores the conversations for this tab only, since answers quote documents. */
export function keep(): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(conversations.get()))
  } catch {
    // Storage is full or disabled, so the conversations last until the page is left.
  }
}
