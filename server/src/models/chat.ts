import type { ProviderName } from './provider.ts'

export interface ChatMessage {
  role: 'user' | 'assistant'
  content: string
}

export interface ChatRequest {
  /** Left out if empty. */
  system: string
  /** Alternates between user and assistant; the first and the last message are from the user. */
  messages: readonly ChatMessage[]
  /** 0..2. A provider with a lower maximum receives its maximum. */
  temperature?: number
  maxTokens?: number
}

/** Tokens as the provider counts them. The prompt includes cached tokens, the completion includes reasoning. */
export interface ModelUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  cache_read_tokens?: number
  cache_write_tokens?: number
  reasoning_tokens?: number
}

/** Text as it arrives; the last part is the end, with the usage if the provider reports it. */
export type ChatPart = { type: 'text'; text: string } | { type: 'end'; usage: ModelUsage | undefined }

export interface ObjectRequest extends ChatRequest {
  /** JSON schema of the object, and a short name for it. */
  schema: Record<string, unknown>
  schemaName: string
}

/** A model of a provider. */
export interface ChatModel {
  /** The name in answers, traces and prices. */
  readonly name: string
  readonly provider: ProviderName
  /**
   * The answer to a conversation. It begins when the first text has arrived; until then, temporary failures are tried
   * again, and `onRetry` gets each of them. Throws ModelError, or the signal's reason. Aborting ends the call to the
   * provider.
   */
  stream(
    request: ChatRequest,
    signal?: AbortSignal,
    onRetry?: (error: unknown) => void,
  ): AsyncGenerator<ChatPart>
  /** An answer as JSON. The model is asked to follow the schema; the result is not checked. Throws like `stream`. */
  object(
    request: ObjectRequest,
    signal?: AbortSignal,
  ): Promise<{ value: unknown; usage: ModelUsage | undefined }>
}
