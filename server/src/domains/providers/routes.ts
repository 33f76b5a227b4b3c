import {
  Deleted,
  ModelList,
  Provider,
  ProviderParams,
  SetProvider,
  TriedModel,
  TryModel,
} from '@cairn/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import type { ModelService } from './models.ts'
import type { ProviderService } from './service.ts'

const config = { access: administrator }
const tags = ['Console: models']

/** Console endpoints for the providers of models, and for the models that can be named. */
export function providerRoutes(app: App, providers: ProviderService, models: ModelService): void {
  app.get(
    '/v1/console/models',
    {
      config,
      schema: {
        tags,
        summary: 'List the models that can be named, and what runs when they are',
        response: { 200: ModelList },
      },
    },
    () => models.list(),
  )

  app.post(
    '/v1/console/models/try',
    {
      // What was asked is nobody's business; that a model was called is.
      config: { ...config, unlogged: ['prompt'] },
      schema: {
        tags,
        summary: 'Try a model with one short call',
        description:
          'Says what went wrong where the provider refuses. No trace is made, no budget is charged, and no other model steps in.',
        body: TryModel,
        response: { 200: TriedModel },
      },
    },
    (request) => models.try(request.body),
  )

  app.get(
    '/v1/console/providers',
    {
      config,
      schema: {
        tags,
        summary: 'List the providers of models and where they are configured',
        response: { 200: Type.Array(Provider) },
      },
    },
    async () => providers.list(),
  )

  app.get(
    '/v1/console/providers/:provider',
    {
      config,
      schema: { tags, summary: 'Get a provider', params: ProviderParams, response: { 200: Provider } },
    },
    async (request) => providers.get(request.params.provider),
  )

  app.put(
    '/v1/console/providers/:provider',
    {
      config,
      schema: {
        tags,
        summary: 'Configure a provider: its key, its address and further models',
        description:
          'Wins over the environment, at once. The key is stored encrypted. An address may be http and on a private network.',
        params: ProviderParams,
        body: SetProvider,
        response: { 200: Provider },
      },
    },
    (request) => providers.set(request.params.provider, request.body),
  )

  app.delete(
    '/v1/console/providers/:provider',
    {
      config,
      schema: {
        tags,
        summary: 'Forget what the console has stored for a provider',
        params: ProviderParams,
        response: { 200: Deleted },
      },
    },
    (request) => providers.delete(request.params.provider),
  )
}
