import type { CreateTrace } from '@cairn/contract'
import { limits } from '@cairn/contract'
import { conversationIn, textOf } from '@cairn/contract/conversations'
import { toIso } from '../../../lib/time.ts'
import type { GivenTrace } from '../given.ts'
import type { Content } from './candidate.ts'
import { contentText, lastText } from './texts.ts'
import { parsedIfJson } from './values.ts'

function toContent(given: unknown): Content {
  const value = parsedIfJson(given)
  return { value, messages: conversationIn(value)?.messages, text: textOf(given) }
}

/** The fields that have a value. */
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** The given ones of the fields that spans have, too. */
export function givenFields({ sessionId, userId, tags, metadata, version, environment }: GivenTrace) {
  return present({
    version,
    environment,
    session_id: sessionId,
    user_id: userId,
    tags: tags?.slice(0, limits.tagsPerTrace),
    metadata,
  })
}

/** The trace with the other given fields. Tokens and cost count only if no span has any. */
export function withGiven(trace: CreateTrace, given: GivenTrace): CreateTrace {
  const { name, input, output, startMs, latencyMs, error, tokenUsage, cost } = given
  const isCounted = trace.token_usage != null || trace.spans?.some((span) => span.cost != null)
  return {
    ...trace,
    ...present({ name, latency_ms: latencyMs }),
    ...(startMs !== undefined && { created_at: toIso(startMs) }),
    ...(input !== undefined && { input: contentText(toContent(input)) }),
    ...(output !== undefined && { output: lastText(toContent(output)) ?? '' }),
    ...(error !== undefined && { status: 'error' as const, error }),
    ...(!isCounted && present({ token_usage: tokenUsage, cost })),
  }
}
