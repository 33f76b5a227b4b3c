import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import type { Provider, ProviderAccess } from '../provider.ts'
import { boundedFetch } from './bounded-fetch.ts'

/**
 * Amazon Bedrock. With `options.access_key_id` the key is the secret access key, which signs requests (Signature Version
 * 4); otherwise it is an API key of Bedrock. Only these credentials are used: nothing is read from AWS_… variables,
 * files or a metadata server.
 */
export function bedrock({ apiKey = '', baseUrl, headers, options = {} }: ProviderAccess): Provider {
  const { region = '', access_key_id: accessKeyId } = options
  if (!region) throw new Error('Bedrock needs a region')
  const provider = createAmazonBedrock({
    region,
    baseURL: baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com`,
    fetch: boundedFetch,
    // An empty API key, unlike an absent one, keeps the SDK from reading AWS_BEARER_TOKEN_BEDROCK.
    apiKey: accessKeyId === undefined ? apiKey : '',
    accessKeyId: accessKeyId ?? '',
    secretAccessKey: accessKeyId === undefined ? '' : apiKey,
    ...(headers && { headers: { ...headers } }),
  })
  return {
    chat: (id) => provider(id),
    embedding: (id) => provider.embedding(id),
    embeddingOptions: (purpose, dimensions) => ({
      bedrock: {
        inputType: purpose === 'document' ? 'search_document' : 'search_query',
        ...(dimensions && { dimensions, embeddingDimension: dimensions, outputDimension: dimensions }),
      },
    }),
  }
}
