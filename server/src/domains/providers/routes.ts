import {
  Deleted,
  ModelDefaults,
  ModelList,
  Provider,
  ProviderParams,
  SetModelDefaults,
  SetProvider,
  TriedModel,
  TryModel,
} from '@cairn/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import type { ModelDefaultsService } from './defaults.ts'
import type { ModelService } from './models.ts'
import type { ProviderService } from './service.ts'

interface Services {
  providers: ProviderService
  models: ModelService
  defaults: ModelDefaultsService
}

const config = { access: administrator }
const tags = ['Models']

/** Console endpoints for model providers and models. */
export function providerRoutes(app: App, { providers, models, defaults }: Services): void {
  app.get(
    '/v1/console/models',
    {
      config,
      schema: {
        tags,
        operationId: 'listModels',
        summary: 'List the models, each with the model that runs if a request names it',
        response: { 200: ModelList },
      },
    },
    () => models.list(),
  )

  app.post(
    '/v1/console/models/try',
    {
      // The audit log records the call, but not the prompt.
      config: { ...config, unlogged: ['prompt'] },
      schema: {
        tags,
        operationId: 'tryModel',
        summary: 'Try a model with one short call',
        description:
          'Returns the error of the provider if the call fails. It writes no trace and charges no budget.',
        body: TryModel,
        response: { 200: TriedModel },
      },
    },
    (request) => models.try(request.body),
  )

  app.get(
    '/v1/console/models/defaults',
    {
      config,
      schema: {
        tags,
        operationId: 'getModelDefaults',
        summary: 'Get the models that the console has chosen for the whole server',
        response: { 200: ModelDefaults },
      },
    },
    async () => defaults.get(),
  )

  app.put(
    '/v1/console/models/defaults',
    {
      config,
      schema: {
        tags,
        operationId: 'setModelDefaults',
        summary: 'Choose the default model and the embedding model of the server',
        description:
          'After a change of the embedding model, documents are embedded again in the background; searches use the old vectors meanwhile.',
        body: SetModelDefaults,
        response: { 200: ModelDefaults },
      },
    },
    (request) => defaults.set(request.body),
  )

  app.get(
    '/v1/console/providers',
    {
      config,
      schema: {
        tags,
        operationId: 'listProviders',
        summary: 'List the model providers and the sources of their configuration',
        response: { 200: Type.Array(Provider) },
      },
    },
    async () => providers.list(),
  )

  app.get(
    '/v1/console/providers/:provider',
    {
      config,
      schema: {
        tags,
        operationId: 'getProvider',
        summary: 'Get a provider',
        params: ProviderParams,
        response: { 200: Provider },
      },
    },
    async (request) => providers.get(request.params.provider),
  )

  app.put(
    '/v1/console/providers/:provider',
    {
      // Headers may contain secrets.
      config: { ...config, unlogged: ['headers'] },
      schema: {
        tags,
        operationId: 'configureProvider',
        summary: 'Configure a provider, or a named server with the API of OpenAI',
        description:
          'Overrides the environment immediately. The key and the headers are stored encrypted. The address may be http and in a private network.',
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
        operationId: 'deleteProvider',
        summary: 'Delete the stored configuration of a provider',
        params: ProviderParams,
        response: { 200: Deleted },
      },
    },
    (request) => providers.delete(request.params.provider),
  )
}
