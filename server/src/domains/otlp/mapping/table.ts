/*
 * The attributes that each field is read from, in this order, for all dialects. Attributes that are in no list stay
 * attributes of their span.
 */

/** Fields of a span with one value. */
export const names = {
  model: [
    'langfuse.observation.model.name',
    'gen_ai.response.model',
    'gen_ai.request.model',
    'llm.response.model_name',
    'llm.request.model_name',
    'llm.model_name',
    'embedding.model_name',
    'reranker.model_name',
    'ai.response.model',
    'ai.model.id',
    'mlflow.llm.model',
    'model_name',
    'model',
  ],
  error: [
    'langfuse.observation.status_message',
    'exception.message',
    'error.message',
    'genkit:error',
    'error.type',
  ],
} as const

/** Keys of `token_usage`. */
export const tokenNames = {
  prompt_tokens: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'llm.usage.prompt_tokens',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
  ],
  completion_tokens: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'llm.usage.completion_tokens',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
  ],
  total_tokens: [
    'gen_ai.usage.total_tokens',
    'llm.token_count.total',
    'llm.usage.total_tokens',
    'ai.usage.totalTokens',
    'ai.usage.tokens',
  ],
  cache_read_tokens: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.cached_input_tokens',
    'gen_ai.usage.details.cache_read_tokens',
    'gen_ai.usage.details.cached_tokens',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.cachedInputTokens',
    'ai.usage.inputTokenDetails.cacheReadTokens',
  ],
  cache_write_tokens: [
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_write_input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.details.cache_write_tokens',
    'llm.token_count.prompt_details.cache_write',
    'ai.usage.inputTokenDetails.cacheWriteTokens',
  ],
  reasoning_tokens: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.details.reasoning_tokens',
    'llm.token_count.completion_details.reasoning',
    'ai.usage.reasoningTokens',
    'ai.usage.outputTokenDetails.reasoningTokens',
  ],
  input_audio_tokens: ['gen_ai.usage.audio.input_tokens', 'llm.token_count.prompt_details.audio'],
  output_audio_tokens: ['gen_ai.usage.audio.output_tokens', 'llm.token_count.completion_details.audio'],
  input_text_tokens: ['gen_ai.usage.text.input_tokens'],
  input_image_tokens: ['gen_ai.usage.image.input_tokens'],
  input_video_tokens: ['gen_ai.usage.video.input_tokens'],
  output_text_tokens: ['gen_ai.usage.text.output_tokens'],
} as const

/** JSON objects with token counts, for spans without the attributes above. */
export const usageObjects = [
  'langfuse.observation.usage_details',
  'langsmith.usage_metadata',
  'mlflow.chat.tokenUsage',
] as const

/** The cost of a call in USD, or its two parts. */
export const costNames = {
  total: [
    'llm.cost.total',
    'gen_ai.usage.cost',
    'gen_ai.cost.total',
    'gen_ai.cost.total_cost',
    'operation.cost',
  ],
  prompt: ['llm.cost.prompt', 'gen_ai.usage.input_cost', 'gen_ai.cost.input', 'gen_ai.cost.input_cost'],
  completion: [
    'llm.cost.completion',
    'gen_ai.usage.output_cost',
    'gen_ai.cost.output',
    'gen_ai.cost.output_cost',
  ],
} as const

/** JSON objects with costs. */
export const costObjects = ['langfuse.observation.cost_details', 'mlflow.llm.cost'] as const

/**
 * The form of an input or output. `value`: text, JSON in a text, or a structured attribute. `json`: always JSON, so a text is
 * in quotes. `messages`: `<name>.N.message.…`. `turns`: `<name>.N.role`, `<name>.N.content`. `prompts` and `documents`: lists
 * of texts and of passages. `answer`: an object with text and tool calls. `response`: the same in several attributes below
 * `<name>`. `events`: a JSON list of events. `history`: messages that end with the answer.
 */
export type Form =
  | 'value'
  | 'json'
  | 'messages'
  | 'turns'
  | 'prompts'
  | 'documents'
  | 'answer'
  | 'response'
  | 'events'
  | 'history'
export type Source = readonly [name: string, form: Form]

/** `{type}` is the type of a Mastra span. */
export const inputs: readonly Source[] = [
  ['gen_ai.input.messages', 'value'],
  ['langfuse.observation.input', 'value'],
  ['input.value', 'value'],
  ['llm.input_messages', 'messages'],
  ['llm.prompts', 'prompts'],
  ['gen_ai.prompt', 'turns'],
  ['gen_ai.prompt', 'value'],
  ['traceloop.entity.input', 'json'],
  ['ai.prompt.messages', 'json'],
  ['ai.prompt', 'json'],
  ['mlflow.spanInputs', 'json'],
  ['genkit:input', 'json'],
  ['mastra.{type}.input', 'value'],
  ['pydantic_ai.all_messages', 'history'],
  ['events', 'events'],
  ['all_messages_events', 'events'],
  ['request_data', 'value'],
  ['gen_ai.tool.call.arguments', 'value'],
  ['ai.toolCall.args', 'value'],
  ['tool_arguments', 'value'],
  ['tool.parameters', 'value'],
  ['gen_ai.retrieval.query.text', 'value'],
  ['ai.value', 'json'],
  ['ai.values', 'json'],
  ['langfuse.trace.input', 'value'],
]

export const outputs: readonly Source[] = [
  ['gen_ai.output.messages', 'value'],
  ['langfuse.observation.output', 'value'],
  ['output.value', 'value'],
  ['llm.output_messages', 'messages'],
  ['gen_ai.completion', 'turns'],
  ['gen_ai.completion', 'value'],
  ['traceloop.entity.output', 'json'],
  ['ai.response', 'response'],
  ['mlflow.spanOutputs', 'json'],
  ['genkit:output', 'json'],
  ['mastra.{type}.output', 'answer'],
  ['final_result', 'value'],
  ['pydantic_ai.all_messages', 'history'],
  ['events', 'events'],
  ['all_messages_events', 'events'],
  ['response_data', 'value'],
  ['gen_ai.tool.call.result', 'value'],
  ['ai.toolCall.result', 'value'],
  ['tool_response', 'value'],
  ['gen_ai.retrieval.documents', 'value'],
  ['retrieval.documents', 'documents'],
  ['reranker.output_documents', 'documents'],
  ['langfuse.trace.output', 'value'],
]

/** The attribute with the media type of a text. Plain text is never parsed. */
export const mediaTypes: Readonly<Record<string, string>> = {
  'input.value': 'input.mime_type',
  'output.value': 'output.mime_type',
}

/** Fields of the trace. */
export const traceNames = {
  version: ['langfuse.version', 'langfuse.release', 'service.version'],
  environment: ['langfuse.environment', 'deployment.environment.name', 'deployment.environment'],
  session_id: [
    'gen_ai.conversation.id',
    'session.id',
    'langfuse.session.id',
    'ai.telemetry.metadata.sessionId',
    'ai.settings.context.sessionId',
    'mlflow.trace.session',
    'langsmith.metadata.session_id',
    'langsmith.metadata.thread_id',
    'traceloop.association.properties.session_id',
    'mastra.metadata.sessionId',
    'mastra.metadata.threadId',
    'genkit:sessionId',
  ],
  user_id: [
    'user.id',
    'langfuse.user.id',
    'ai.telemetry.metadata.userId',
    'ai.settings.context.userId',
    'enduser.id',
    'mlflow.trace.user',
    'langsmith.metadata.user_id',
    'traceloop.association.properties.user_id',
    'mastra.metadata.userId',
  ],
  tags: [
    'tag.tags',
    'langfuse.trace.tags',
    'ai.telemetry.metadata.tags',
    'langsmith.span.tags',
    'mastra.tags',
    'logfire.tags',
  ],
} as const

/** Metadata of the trace: a JSON object, or all attributes below a prefix. */
export const metadataSources = [
  ['metadata', 'value'],
  ['langfuse.trace.metadata', 'below'],
  ['langfuse.observation.metadata', 'below'],
  ['ai.telemetry.metadata', 'below'],
  ['langsmith.metadata', 'below'],
  ['traceloop.association.properties', 'below'],
  ['mastra.metadata', 'below'],
] as const
