import {
  Budget,
  BudgetParams,
  CreateBudget,
  Deleted,
  ListBudgetsQuery,
  Multiplier,
  MultiplierParams,
  SetMultiplier,
  UpdateBudget,
} from '@cairn/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import type { BudgetService } from './budgets.ts'
import type { MultiplierService } from './multipliers.ts'

const config = { access: administrator }
const tags = ['Credits']

export function multiplierRoutes(app: App, multipliers: MultiplierService): void {
  app.get(
    '/v1/console/multipliers',
    {
      config,
      schema: {
        tags,
        operationId: 'listMultipliers',
        summary: 'List the credits per 1,000 tokens by model; any other model costs 1',
        response: { 200: Type.Array(Multiplier) },
      },
    },
    () => multipliers.list(),
  )

  app.put(
    '/v1/console/multipliers',
    {
      config,
      schema: {
        tags,
        operationId: 'setMultiplier',
        summary: 'Set the credits per 1,000 tokens of a model for future answers',
        body: SetMultiplier,
        response: { 200: Multiplier },
      },
    },
    (request) => multipliers.set(request.body),
  )

  app.delete(
    '/v1/console/multipliers/:model',
    {
      config,
      schema: {
        tags,
        operationId: 'resetMultiplier',
        summary: 'Restore the built-in multiplier of a model',
        params: MultiplierParams,
        response: { 200: Deleted },
      },
    },
    (request) => multipliers.delete(request.params.model),
  )
}

export function budgetRoutes(app: App, budgets: BudgetService): void {
  app.post(
    '/v1/console/budgets',
    {
      config,
      schema: {
        tags,
        operationId: 'createBudget',
        summary: 'Limit the usage of a project, chat, application or user',
        description: 'Earlier usage in the current period counts.',
        body: CreateBudget,
        response: { 201: Budget },
      },
    },
    async (request, reply) => reply.code(201).send(await budgets.create(request.body)),
  )

  app.get(
    '/v1/console/budgets',
    {
      config,
      schema: {
        tags,
        operationId: 'listBudgets',
        summary: 'List budgets with their spent amounts, oldest first',
        querystring: ListBudgetsQuery,
        response: { 200: Type.Array(Budget) },
      },
    },
    (request) => budgets.list(request.query),
  )

  app.get(
    '/v1/console/budgets/:budget_id',
    {
      config,
      schema: {
        tags,
        operationId: 'getBudget',
        summary: 'Get a budget',
        params: BudgetParams,
        response: { 200: Budget },
      },
    },
    (request) => budgets.get(request.params.budget_id),
  )

  app.patch(
    '/v1/console/budgets/:budget_id',
    {
      config,
      schema: {
        tags,
        operationId: 'updateBudget',
        summary: 'Change the limit, period or unit of a budget',
        params: BudgetParams,
        body: UpdateBudget,
        response: { 200: Budget },
      },
    },
    (request) => budgets.update(request.params.budget_id, request.body),
  )

  app.delete(
    '/v1/console/budgets/:budget_id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteBudget',
        summary: 'Delete a budget',
        params: BudgetParams,
        response: { 200: Deleted },
      },
    },
    (request) => budgets.delete(request.params.budget_id),
  )
}
