import { apiKey, embeddingModel, integer, model, type NamedModel, namedModels, oneOf, url } from './parse.ts'
import { type Variable, variable } from './variable.ts'

function keyVariable(name: string, doc: string) {
  return variable<string | undefined>({ name, doc, fallback: undefined, secret: true, parse: apiKey })
}

function urlVariable(name: string, doc: string) {
  return variable<string | undefined>({ name, doc, fallback: undefined, parse: url('http', 'https') })
}

function modelsVariable(name: string, doc: string) {
  return variable<NamedModel[]>({ name, doc, fallback: [], fallbackDoc: 'not set', parse: namedModels })
}

function providerVariables<P extends string>(provider: P, label: string) {
  const prefix = provider.toUpperCase()
  return {
    [`${provider}ApiKey`]: keyVariable(
      `${prefix}_API_KEY`,
      `Key of ${label}; with it answers may come from its models.`,
    ),
    [`${provider}BaseUrl`]: urlVariable(
      `${prefix}_BASE_URL`,
      `Base URL of ${label}, or of a server that speaks its API.`,
    ),
    [`${provider}Models`]: modelsVariable(
      `${prefix}_MODELS`,
      `Further models of ${label} that requests may name, comma-separated. \`name=id\` sends another id to the provider; a name that is built in then means that model.`,
    ),
  } as Record<`${P}ApiKey` | `${P}BaseUrl`, Variable<string | undefined>> &
    Record<`${P}Models`, Variable<NamedModel[]>>
}

/** Providers of models, and calls to them. */
export const modelVariables = {
  ...providerVariables('openai', 'OpenAI'),
  ...providerVariables('anthropic', 'Anthropic'),
  ...providerVariables('google', 'Google'),
  compatibleBaseUrl: urlVariable(
    'COMPATIBLE_BASE_URL',
    "Base URL of a server that speaks OpenAI's API (Ollama, vLLM, LM Studio), as http://localhost:11434/v1.",
  ),
  compatibleApiKey: keyVariable('COMPATIBLE_API_KEY', 'Key of that server, if it wants one.'),
  compatibleModels: modelsVariable(
    'COMPATIBLE_MODELS',
    "That server's models that requests may name, comma-separated, each a name or `name=id`.",
  ),
  defaultModel: variable<string | undefined>({
    name: 'CAIRN_DEFAULT_MODEL',
    doc: 'Model that answers when the one asked for has no provider, or its provider fails.',
    fallback: undefined,
    fallbackDoc: 'gpt-4o-mini, or the first model of the first provider that is configured',
    parse: model,
  }),
  embeddingModel: variable<string | undefined>({
    name: 'CAIRN_EMBEDDING_MODEL',
    doc: 'Model that documents and questions are embedded with, as openai/text-embedding-3-small; its provider is openai, google or compatible, configured here or on the console. Without it nothing is embedded.',
    fallback: undefined,
    parse: embeddingModel,
  }),
  embeddingDimensions: variable<number | undefined>({
    name: 'CAIRN_EMBEDDING_DIMENSIONS',
    doc: 'Length of the vectors to ask that model for, where it can be asked.',
    fallback: undefined,
    fallbackDoc: "the model's own",
    parse: integer(1, 8192),
  }),
  relationships: variable({
    name: 'CAIRN_RELATIONSHIPS',
    doc: 'How passages of a document are related to one another: `local` by rules of the server, `model` by the default model where a provider is configured (every document is sent to it, and paid for), `off` not at all.',
    fallback: 'local' as const,
    parse: oneOf('local', 'model', 'off'),
  }) as Variable<'local' | 'model' | 'off'>,
  modelSeconds: variable({
    name: 'CAIRN_MODEL_SECONDS',
    doc: 'Time that a model may be silent, before its first word and between two; then it has failed.',
    isLimit: true,
    fallback: 60,
    // Past this the connection is given up by Node itself.
    parse: integer(1, 300),
  }),
  maxModelAnswers: variable({
    name: 'CAIRN_MAX_MODEL_ANSWERS',
    doc: 'Answers by models that are under way at the same time for one project; for one of its end users, and for its own keys, three quarters of them; for all projects together, four times as many. As many again may wait for each; then the answer is 429 with Retry-After.',
    isLimit: true,
    fallback: 64,
    parse: integer(1, 10_000),
  }),
}
