import type { ProviderName } from './provider.ts'

export interface ChatMessage {
  role: 'user' | 'assistant'
  content: string
}

export interface ChatRequest {
  /** Left out when it is empty. */
  system: string
  /** Begins and ends with the user, by turns. */
  messages: readonly ChatMessage[]
  /** 0..2; a provider that takes less is sent its most. */
  temperature?: number
  maxTokens?: number
}

/** Tokens as the provider counts them; the prompt includes cached ones, the completion reasoning. */
export interface ModelUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  cache_read_tokens?: number
  cache_write_tokens?: number
  reasoning_tokens?: number
}

/** Text as it comes; last, once, the usage if the provider tells it. */
export type ChatPart = { type: 'text'; text: string } | { type: 'end'; usage: ModelUsage | undefined }

export interface ObjectRequest extends ChatRequest {
  /** JSON schema of the object wanted, and a short name for it. */
  schema: Record<string, unknown>
  schemaName: string
}

/** A model that a provider runs. */
export interface ChatModel {
  /** As answers and traces show it, and prices find it. */
  readonly name: string
  readonly provider: ProviderName
  /**
   * The answer to a conversation. Begins only when the first text is there: until then it is tried again where that
   * may help. Throws ModelError, or the signal's reason; aborting ends the call to the provider.
   */
  stream(request: ChatRequest, signal?: AbortSignal): AsyncGenerator<ChatPart>
  /** An answer as JSON, which is asked to follow a schema and is not checked against it. Throws as `stream` does. */
  object(
    request: ObjectRequest,
    signal?: AbortSignal,
  ): Promise<{ value: unknown; usage: ModelUsage | undefined }>
}
