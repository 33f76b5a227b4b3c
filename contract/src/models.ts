import { type Static, Type } from 'typebox'
import { Usage } from './answering.ts'
import { absent, body, Timestamp } from './common.ts'
import { limits } from './limits.ts'

/**
 * The providers that every server knows, in the order in which they replace one another after a failure. `compatible` is
 * one server with OpenAI's API; other servers with this API have names of their own.
 */
export const vendorNames = [
  'openai',
  'anthropic',
  'google',
  'compatible',
  'azure',
  'bedrock',
  'vertex',
  'mistral',
  'groq',
  'openrouter',
  'cohere',
] as const
export type VendorName = (typeof vendorNames)[number]

/** A vendor, or the name that the administrator gave to a server with OpenAI's API. */
export type ProviderName = VendorName | (string & {})
const ProviderName = Type.Unsafe<ProviderName>(Type.String())

const Text = Type.String()
const TextOrNull = Type.Union([Type.String(), Type.Null()])
const NumberOrNull = Type.Union([Type.Number(), Type.Null()])
const Source = Type.Union([Type.Enum(['environment', 'console']), Type.Null()], {
  description: 'where the provider is configured; the console overrides the environment',
})
const ModelName = Type.String({ minLength: 1, maxLength: limits.modelNameLength })

/** `provider/model`, with `@length` for vectors of this length; or `none`. */
export const EmbeddingChoice = Type.String({
  maxLength: limits.modelNameLength,
  pattern: '^(?:none|[a-z0-9-]+/\\S+)$',
})

export const Model = Type.Object({
  name: Type.String({
    description: 'name for requests and settings; of embedding models, for CAIRN_EMBEDDING_MODEL',
  }),
  kind: Type.Enum(['chat', 'embedding', 'rerank']),
  provider: Type.Union([ProviderName, Type.Null()], {
    description: 'null for the built-in answerer, which needs no provider',
  }),
  id: Type.String({ description: 'the name that the provider uses' }),
  configured: Type.Boolean({ description: 'whether the model can be called' }),
  retired: Type.Boolean({ description: 'no longer sold by the provider' }),
  source: Source,
  runs: Type.Union([Type.String(), Type.Null()], {
    description: 'model that runs if a request names this one; of embedding models, the one in use, or null',
  }),
  is_default: Type.Boolean({
    description: 'whether this is the default model, or the embedding model in use',
  }),
  context_window: Type.Union([Type.Integer(), Type.Null()], { description: 'tokens; null if unknown' }),
  price: Type.Union([Type.Object({ input: Type.Number(), output: NumberOrNull }), Type.Null()], {
    description: 'USD per 1,000,000 tokens according to the built-in table',
  }),
  credits_multiplier: NumberOrNull,
})
export type Model = Static<typeof Model>

export const ModelList = Type.Object({
  models: Type.Array(Model),
  default_model: Type.String({
    description: 'runs if the provider of the named model is not configured; its name in answers and traces',
  }),
  embedding_model: Type.Union([Type.String(), Type.Null()], {
    description: 'provider/model that embeds documents',
  }),
})
export type ModelList = Static<typeof ModelList>

/** Models for the whole server. */
export const ModelDefaults = Type.Object(
  {
    default_model: Type.Union([ModelName, Type.Null()]),
    embedding_model: Type.Union([EmbeddingChoice, Type.Null()]),
  },
  { description: 'null: the choice of the environment; embedding_model may be `none`' },
)
export type ModelDefaults = Static<typeof ModelDefaults>

export const SetModelDefaults = Type.Partial(ModelDefaults)
export type SetModelDefaults = Static<typeof SetModelDefaults>

const embeddingStates = ['off', 'ready', 'running', 'failing', 'waiting'] as const

export const EmbeddingProgress = Type.Object({
  model: Type.Union([Type.String(), Type.Null()], { description: 'the chosen model; null for none' }),
  in_use: Type.Union([Type.String(), Type.Null()], {
    description: 'the model whose vectors searches use',
  }),
  chunks: Type.Integer(),
  embedded: Type.Integer({ description: 'chunks with vectors of the chosen model' }),
  state: Type.Enum(embeddingStates, { description: 'waiting: until the next question' }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'of the last attempt' }),
  next_attempt_at: Type.Union([Timestamp, Type.Null()]),
})
export type EmbeddingProgress = Static<typeof EmbeddingProgress>

export const ServerEmbedding = Type.Object({
  model: EmbeddingProgress.properties.model,
  chats: Type.Integer({ description: "chats with documents that use the server's model" }),
  ready: Type.Integer({ description: 'chats whose chunks all have vectors' }),
  chunks: Type.Integer(),
  embedded: Type.Integer(),
  failing: Type.Array(Type.Object({ chat_id: Type.String(), error: Type.String() }), {
    description: 'up to 20 chats',
  }),
})
export type ServerEmbedding = Static<typeof ServerEmbedding>

export const Provider = Type.Object({
  provider: ProviderName,
  configured: Type.Boolean(),
  source: Source,
  api_key_last4: TextOrNull,
  base_url: Type.Union([Type.String(), Type.Null()], { description: "null: the provider's own" }),
  headers: Type.Array(Text, {
    description: 'names of the additional headers; the values are never returned',
  }),
  options: Type.Record(Type.String(), Text),
  models: Type.Array(Type.Object({ name: Text, id: Text })),
  problem: Type.Union([Type.String(), Type.Null()], {
    description: 'why the stored configuration is unusable',
  }),
  updated_at: Type.Union([Timestamp, Type.Null()], { description: 'when the console last changed it' }),
})
export type Provider = Static<typeof Provider>

export const SetProvider = body({
  api_key: absent(
    Type.String({
      minLength: 1,
      maxLength: limits.providerKeyLength,
      description: 'if left out, the stored key is kept unless base_url moves to another server',
    }),
  ),
  base_url: absent(Type.String({ minLength: 1, maxLength: 2048, description: 'http or https' })),
  headers: absent(
    Type.Record(Type.String(), Type.String({ maxLength: 2000 }), {
      description: 'additional headers of each call; kept like api_key if left out',
    }),
  ),
  options: absent(
    Type.Record(Type.String(), Type.String({ maxLength: 200 }), {
      description: 'bedrock: region, access_key_id; vertex: location, project',
    }),
  ),
  models: absent(
    Type.Array(Type.Object({ name: ModelName, id: absent(ModelName) }), {
      maxItems: limits.modelsPerProvider,
      description: 'additional models; id is the name that the provider uses, if it differs',
    }),
  ),
})
export type SetProvider = Static<typeof SetProvider>

export const ProviderParams = Type.Object({
  provider: Type.String({
    description: "a provider, or for a server with OpenAI's API a name of small letters, digits and -",
  }),
})

export const TryModel = body({
  model: ModelName,
  prompt: Type.String({ minLength: 1, maxLength: limits.tryPromptLength, pattern: '\\S' }),
  max_tokens: absent(Type.Integer({ minimum: 1, maximum: limits.tryTokens })),
  temperature: absent(Type.Number({ minimum: 0, maximum: 2 })),
})
export type TryModel = Static<typeof TryModel>

export const TriedModel = Type.Object({
  model: Type.String({ description: 'the model that answered' }),
  output: Type.String(),
  latency_ms: Type.Number(),
  usage: Usage,
  cost: Type.Union([Type.Number(), Type.Null()], { description: 'USD according to the built-in prices' }),
})
export type TriedModel = Static<typeof TriedModel>
