import { describe, expect, it } from 'vitest'
import { loadConfig, unknownVariables, variables } from './config.ts'

describe('configuration', () => {
  it('has the documented defaults', () => {
    const config = loadConfig({})
    expect(config).toMatchObject({ host: '127.0.0.1', port: 8000, requestsPerSecond: 100 })
    expect(config).toMatchObject({ maxFileBytes: 5 * 1024 * 1024, maxJsonBytes: 10 * 1024 * 1024 })
    expect(Object.isFrozen(config)).toBe(true)
  })

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['HOST', 'not a host'],
    ['CAIRN_ADMIN_TOKEN', 'short'],
    ['CAIRN_ADMIN_TOKEN', 'sixteen characters'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'localhost'],
    ['REDIS_URL', 'http://localhost'],
    ['CAIRN_ALLOW_INSECURE_ISSUERS', 'perhaps'],
    ['CAIRN_CORS_ORIGINS', 'example.com'],
    ['CAIRN_LOG_LEVEL', 'loud'],
    ['CAIRN_MAX_FILE_BYTES', '5MB'],
    ['CAIRN_ENCRYPTION_KEY', 'too short'],
    ['CAIRN_ENCRYPTION_KEY', 'x'.repeat(64)],
    ['CAIRN_WEBHOOK_RETRY_SECONDS', '5,,6'],
    ['CAIRN_WEBHOOK_RETRY_SECONDS', '0'],
    ['CAIRN_WEBHOOK_RETRY_SECONDS', '1.5'],
    ['OPENAI_BASE_URL', 'ftp://x'],
    ['ANTHROPIC_API_KEY', 'two words'],
    ['OPENAI_MODELS', 'two words'],
    ['OPENAI_MODELS', 'a,,b'],
    ['OPENAI_MODELS', 'a='],
    ['COMPATIBLE_MODELS', 'llama3.2'],
    ['CAIRN_EMBEDDING_MODEL', 'text-embedding-3-small'],
    ['CAIRN_EMBEDDING_MODEL', 'anthropic/x'],
    ['CAIRN_EMBEDDING_MODEL', 'groq/x'],
    ['AZURE_API_KEY', 'sk-secret-without-an-address'],
    ['BEDROCK_API_KEY', 'sk-secret-without-a-region'],
    ['VERTEX_API_KEY', '{"type": '],
    ['BEDROCK_REGION', 'a.example.com/'],
    ['CAIRN_MODEL_SERVERS', 'groq-internal'],
    ['CAIRN_MODEL_SERVERS', '["groq-internal"]'],
    ['CAIRN_MODEL_SERVERS', '{"groq-internal": {}}'],
    ['CAIRN_MODEL_SERVERS', '{"openai": {"base_url": "http://localhost/v1"}}'],
    ['CAIRN_MODEL_SERVERS', '{"Upper": {"base_url": "http://localhost/v1"}}'],
    ['CAIRN_MODEL_SERVERS', '{"a": {"base_url": "ftp://localhost/v1"}}'],
    ['CAIRN_MODEL_SERVERS', '{"a": {"base_url": "http://localhost/v1", "key": "b"}}'],
    ['CAIRN_MODEL_SERVERS', '{"a": {"base_url": "http://localhost/v1", "headers": {"Host": "b"}}}'],
    ['CAIRN_MODEL_SERVERS', '{"a": {"base_url": "http://localhost/v1", "models": ["b c"]}}'],
    ['CAIRN_EMBEDDING_DIMENSIONS', '0'],
    ['CAIRN_RERANK_MODEL', 'rerank-v3.5'],
    ['CAIRN_RERANK_MODEL', 'openai/rerank'],
    ['CAIRN_RERANK_MODEL', 'cohere/rerank-v3.5'],
    ['CAIRN_RERANK_MODEL', 'tei/bge'],
    ['CAIRN_TRUST_PROXY', '0'],
    ['CAIRN_TRUST_PROXY', 'leftmost'],
    ['CAIRN_TRUST_PROXY', '10.0.0.0/33'],
    ['CAIRN_TRUST_PROXY', '10.0.0.0/'],
    ['CAIRN_TRUST_PROXY', '0.0.0.0/0'],
    ['CAIRN_TRUST_PROXY', '10.1'],
    ['CAIRN_TRUST_PROXY', 'loopback,,10.0.0.1'],
  ])('rejects %s=%s with a message that names the variable', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(name)
  })

  it.each(['true', '1'])('reads CAIRN_TRUST_PROXY=%s as one proxy in front', (value) => {
    const { trustedProxies } = loadConfig({ CAIRN_TRUST_PROXY: value })
    expect(trustedProxies?.('203.0.113.1', 0)).toBe(true)
    expect(trustedProxies?.('203.0.113.1', 1)).toBe(false)
  })

  it('finds an unknown CAIRN_ variable', () => {
    const environment = { CAIRN_DATADIR: '/tmp/x', CAIRN_DATA_DIR: '/tmp/x', PATH: '/bin' }
    expect(unknownVariables(environment)).toEqual(['CAIRN_DATADIR'])
  })

  it('reads keys and lists', () => {
    const environment = { CAIRN_ENCRYPTION_KEY: 'ab'.repeat(32), CAIRN_WEBHOOK_RETRY_SECONDS: '1, 60,3600' }
    const config = loadConfig(environment)
    expect(config.encryptionKey?.toString('hex')).toBe('ab'.repeat(32))
    expect(config.webhookRetrySeconds).toEqual([1, 60, 3600])
    const models = { COMPATIBLE_BASE_URL: 'http://localhost:11434/v1', COMPATIBLE_MODELS: 'a, b=org/b:7b' }
    expect(loadConfig(models).compatibleModels).toEqual([
      { name: 'a', id: 'a' },
      { name: 'b', id: 'org/b:7b' },
    ])
  })

  it('discloses no part of a key that it rejects', () => {
    const key = '{"private_key": "very secret'
    expect(() => loadConfig({ VERTEX_API_KEY: key })).toThrow(/^((?!secret).)*$/)
  })

  it('reads servers with names of their own', () => {
    const text = `{"groq-internal": {"base_url": "https://m.example.com/v1", "api_key": "sk", "headers": {"X-Team": "a"},
      "models": ["llama-3.3-70b", "qwen=qwen3:8b"]}}`
    expect(loadConfig({ CAIRN_MODEL_SERVERS: text }).modelServers).toEqual([
      {
        name: 'groq-internal',
        baseUrl: 'https://m.example.com/v1',
        apiKey: 'sk',
        headers: { 'X-Team': 'a' },
        models: [
          { name: 'llama-3.3-70b', id: 'llama-3.3-70b' },
          { name: 'qwen', id: 'qwen3:8b' },
        ],
      },
    ])
  })

  it('treats an empty variable as not set', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 8000, databaseUrl: undefined })
  })

  it('documents every variable', () => {
    const definitions = Object.values(variables)
    expect(definitions.length).toBeGreaterThan(20)
    for (const { name, doc } of definitions) expect(doc.length, name).toBeGreaterThan(10)
  })
})
