import type { Message } from '@cairn/contract/conversations'
import type { SpanEvent } from '../span.ts'
import type { SpanKind } from './kinds.ts'
import type { AttributeReader } from './reader.ts'

/** The input or output of a span. */
export interface Content {
  value: unknown
  messages: readonly Message[] | undefined
  /** Text exactly as received. */
  text: string | undefined
}

/** A content that was found in attributes, and the attributes that have nothing else. */
export interface Candidate extends Content {
  shown: readonly string[]
}

/** The part of a span that is read: the attributes, the events, and the side of the conversation. */
export interface Side {
  reader: AttributeReader
  events: readonly SpanEvent[]
  kind: SpanKind | undefined
  isOutput: boolean
}

export function plain(value: unknown, shown: readonly string[], text?: string): Candidate {
  return { value, messages: undefined, text, shown }
}

export function ofMessages(messages: readonly Message[], shown: readonly string[]): Candidate | undefined {
  return messages.length === 0 ? undefined : { value: messages, messages, text: undefined, shown }
}

/** Arguments of tools, queries and texts to embed are no conversations, whatever they look like. */
export function mayConverse(kind: SpanKind | undefined): boolean {
  return kind !== 'tool' && kind !== 'retrieval' && kind !== 'embedding'
}
