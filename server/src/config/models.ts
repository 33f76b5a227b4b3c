import { type ModelServer, modelServers } from './model-servers.ts'
import {
  apiKey,
  embeddingModel,
  folder,
  hostPart,
  integer,
  model,
  type NamedModel,
  namedModels,
  oneOf,
  rerankModel,
  serviceAccountOrKey,
  text,
  url,
} from './parse.ts'
import { type Variable, variable } from './variable.ts'

function keyVariable(name: string, doc: string, parse = apiKey) {
  return variable<string | undefined>({ name, doc, fallback: undefined, secret: true, parse })
}

function textVariable(name: string, doc: string, parse: (text: string) => string, fallbackDoc?: string) {
  return variable<string | undefined>({
    name,
    doc,
    fallback: undefined,
    ...(fallbackDoc && { fallbackDoc }),
    parse,
  })
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
      `API key of ${label}. With a key, the models of the provider can write answers.`,
    ),
    [`${provider}BaseUrl`]: urlVariable(
      `${prefix}_BASE_URL`,
      `Base URL of ${label}, or of a server with the same API.`,
    ),
    [`${provider}Models`]: modelsVariable(
      `${prefix}_MODELS`,
      `Additional models of ${label} that requests may name, comma-separated. \`name=id\` sends a different id to the provider. A built-in name on this list refers to this model.`,
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
    "Base URL of a server with OpenAI's API (Ollama, vLLM, LM Studio), such as http://localhost:11434/v1.",
  ),
  compatibleApiKey: keyVariable('COMPATIBLE_API_KEY', 'API key of that server, if it needs one.'),
  compatibleModels: modelsVariable(
    'COMPATIBLE_MODELS',
    'Models of that server that requests may name, comma-separated, each a name or `name=id`.',
  ),
  modelServers: variable<readonly ModelServer[]>({
    name: 'CAIRN_MODEL_SERVERS',
    doc: 'Further servers with OpenAI\'s API, each with a name, as one JSON object: `{"groq-internal": {"base_url": "https://models.example.com/v1", "api_key": "…", "headers": {"X-Team": "search"}, "models": ["llama-3.3-70b", "qwen=qwen3:8b"]}}`. Only `base_url` is required. Requests name a model `groq-internal/llama-3.3-70b`.',
    fallback: [],
    fallbackDoc: 'not set',
    secret: true,
    parse: modelServers,
  }),
  azureApiKey: keyVariable('AZURE_API_KEY', 'API key of an Azure OpenAI resource.'),
  azureBaseUrl: urlVariable(
    'AZURE_BASE_URL',
    'Endpoint of the resource, such as https://example.openai.azure.com.',
  ),
  azureModels: modelsVariable(
    'AZURE_MODELS',
    'Deployments that requests may name `azure/<name>`, comma-separated, each a name or `name=deployment`.',
  ),
  bedrockApiKey: keyVariable(
    'BEDROCK_API_KEY',
    'API key of Amazon Bedrock; with `BEDROCK_ACCESS_KEY_ID`, the secret access key.',
  ),
  bedrockAccessKeyId: textVariable(
    'BEDROCK_ACCESS_KEY_ID',
    'Id of an AWS access key, whose secret then signs each request.',
    text,
  ),
  bedrockRegion: textVariable('BEDROCK_REGION', 'AWS region of Bedrock, such as eu-central-1.', hostPart),
  bedrockBaseUrl: urlVariable('BEDROCK_BASE_URL', 'Base URL of Bedrock, such as a VPC endpoint.'),
  bedrockModels: modelsVariable(
    'BEDROCK_MODELS',
    'Models of Bedrock that requests may name `bedrock/<name>`, comma-separated, each an id or `name=id`.',
  ),
  vertexApiKey: keyVariable(
    'VERTEX_API_KEY',
    'JSON key of a service account for Vertex AI, in one line, or an API key of its express mode.',
    serviceAccountOrKey,
  ),
  vertexLocation: textVariable('VERTEX_LOCATION', 'Location of Vertex AI.', hostPart, 'global'),
  vertexProject: textVariable('VERTEX_PROJECT', 'Google Cloud project.', text, 'the project of the key'),
  vertexBaseUrl: urlVariable(
    'VERTEX_BASE_URL',
    "Base URL of Vertex AI up to `/publishers/google`, if it is not the location's own.",
  ),
  vertexModels: modelsVariable(
    'VERTEX_MODELS',
    'Models of Vertex AI that requests may name `vertex/<name>`, comma-separated, each an id or `name=id`.',
  ),
  ...providerVariables('mistral', 'Mistral'),
  ...providerVariables('groq', 'Groq'),
  ...providerVariables('openrouter', 'OpenRouter'),
  ...providerVariables('cohere', 'Cohere'),
  defaultModel: variable<string | undefined>({
    name: 'CAIRN_DEFAULT_MODEL',
    doc: 'Model that answers if the requested model has no provider, or if its provider fails.',
    fallback: undefined,
    fallbackDoc: 'gpt-4o-mini, or the first model of the first configured provider',
    parse: model,
  }),
  embeddingModel: variable<string | undefined>({
    name: 'CAIRN_EMBEDDING_MODEL',
    doc: 'Model that embeds documents and questions, such as openai/text-embedding-3-small. The part before the slash is a provider with embeddings, configured here or on the console, or local for a model of this machine. Without it, no embedding model is used.',
    fallback: undefined,
    parse: embeddingModel,
  }),
  embeddingDimensions: variable<number | undefined>({
    name: 'CAIRN_EMBEDDING_DIMENSIONS',
    doc: 'Requested length of the vectors, for embedding models that support it.',
    fallback: undefined,
    fallbackDoc: "the model's own",
    parse: integer(1, 8192),
  }),
  relationships: variable({
    name: 'CAIRN_RELATIONSHIPS',
    doc: 'How relationships between the passages of a document are found. `local`: rules of the server. `model`: the default model, if a provider is configured; every document is sent to it and paid for. `off`: not at all.',
    fallback: 'local' as const,
    parse: oneOf('local', 'model', 'off'),
  }) as Variable<'local' | 'model' | 'off'>,
  modelSeconds: variable({
    name: 'CAIRN_MODEL_SECONDS',
    doc: 'Time without output after which a call to a model has failed, before the first word and between two words. A whole call may take ten times as long.',
    isLimit: true,
    fallback: 60,
    // After 300 seconds Node itself closes the connection.
    parse: integer(1, 300),
  }),
  maxModelAnswers: variable({
    name: 'CAIRN_MAX_MODEL_ANSWERS',
    doc: 'Answers by models that may be in progress at the same time for one project. One end user, and the keys of the project together, may each use three quarters of them. All projects together may have four times as many. As many answers again may wait for each; further requests get 429 with Retry-After.',
    isLimit: true,
    fallback: 64,
    parse: integer(1, 10_000),
  }),
  rerankModel: variable<string | undefined>({
    name: 'CAIRN_RERANK_MODEL',
    doc: 'Model that chats may choose to rank the passages of a search, such as cohere/rerank-v3.5. Before the slash is the service or server: cohere, jina, voyage, tei (Text Embeddings Inference), or vllm (vLLM and others with /v1/rerank).',
    fallback: undefined,
    parse: rerankModel,
  }),
  rerankApiKey: keyVariable('CAIRN_RERANK_API_KEY', 'API key of the rerank service or server.'),
  rerankBaseUrl: urlVariable('CAIRN_RERANK_BASE_URL', 'Base URL of the rerank server. tei and vllm need it.'),
  rerankSeconds: variable({
    name: 'CAIRN_RERANK_SECONDS',
    doc: 'Time limit of ranking the passages of a question. Afterwards, the order of the search is used.',
    isLimit: true,
    fallback: 10,
    parse: integer(1, 60),
  }),
  localModels: variable<string | undefined>({
    name: 'CAIRN_LOCAL_MODELS',
    doc: 'Folder with models that run on this machine, each in a sub-folder with model.onnx, tokenizer.json and config.json. `cairn models pull` fetches models into it.',
    fallback: undefined,
    fallbackDoc: 'the folder models in the data folder',
    parse: folder,
  }),
  modelHub: variable({
    name: 'CAIRN_MODEL_HUB',
    doc: 'Address of the hub, or of a mirror, that `cairn models pull` fetches from.',
    fallback: 'https://huggingface.co',
    parse: url('http', 'https'),
  }),
}
