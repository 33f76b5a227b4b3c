import { expect, it } from 'vitest'
import { type ConfiguredProviders, Models } from '../../models/models.ts'
import { listModels } from './catalogue.ts'
import { type ProviderOptions, ProviderService } from './service.ts'

async function list(environment: ConfiguredProviders) {
  const models = new Models({
    providers: environment,
    defaultModel: undefined,
    embeddingModel: undefined,
    embeddingDimensions: undefined,
    quietMs: 1000,
  })
  // Without `refresh`, the service uses only the providers of the environment.
  const providers = new ProviderService({ environment, models } as ProviderOptions)
  return listModels({ models, providers, multipliers: async () => () => 1 })
}

const defaultNames = async (environment: ConfiguredProviders) => {
  const { models } = await list(environment)
  return models.filter((model) => model.is_default).map(({ name }) => name)
}

it('only one of several names of a model is the default', async () => {
  const openai = { apiKey: 'sk', baseUrl: undefined, models: [{ name: 'fast', id: 'gpt-4o-mini' }] }
  expect(await defaultNames({ openai })).toEqual(['gpt-4o-mini'])
})

it('without any provider, only the built-in answerer is the default', async () => {
  expect(await defaultNames({})).toEqual(['cairn-extractive'])
})
