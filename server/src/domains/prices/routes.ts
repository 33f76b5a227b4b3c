import {
  BuiltInPrice,
  Deleted,
  ListPricesQuery,
  ProjectParams,
  ProjectPrice,
  ProjectPriceParams,
  SetPrice,
} from '@cairn/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import type { PriceService } from './service.ts'

const config = { access: administrator }
const tags = ['Prices']

/** Console endpoints for the built-in price table and for the prices of a project. */
export function priceRoutes(app: App, prices: PriceService): void {
  app.get(
    '/v1/console/prices',
    {
      config,
      schema: {
        tags,
        operationId: 'listBuiltInPrices',
        summary: 'List the built-in prices of models',
        querystring: ListPricesQuery,
        response: { 200: Type.Array(BuiltInPrice) },
      },
    },
    async (request) => prices.listBuiltIn(request.query),
  )

  app.get(
    '/v1/console/projects/:project_id/prices',
    {
      config,
      schema: {
        tags,
        operationId: 'listPrices',
        summary: 'List the prices that a project has set, latest start first',
        params: ProjectParams,
        response: { 200: Type.Array(ProjectPrice) },
      },
    },
    (request) => prices.list(request.params.project_id),
  )

  app.put(
    '/v1/console/projects/:project_id/prices',
    {
      config,
      schema: {
        tags,
        operationId: 'setPrice',
        summary: 'Set the price of a model for a project from a date on',
        description: 'It replaces the price of the same model with the same start date.',
        params: ProjectParams,
        body: SetPrice,
        response: { 200: ProjectPrice },
      },
    },
    (request) => prices.set(request.params.project_id, request.body),
  )

  app.delete(
    '/v1/console/projects/:project_id/prices/:price_id',
    {
      config,
      schema: {
        tags,
        operationId: 'deletePrice',
        summary: 'Delete a price of a project',
        params: ProjectPriceParams,
        response: { 200: Deleted },
      },
    },
    (request) => prices.delete(request.params.project_id, request.params.price_id),
  )
}
