import { CreateRule, Deleted, ProjectParams, Rule, RuleParams, UpdateRule } from '@cairn/contract'
import { Type } from 'typebox'
import { projectKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import type { RuleService } from './rules.ts'

const tags = ['Scorers']

export function ruleRoutes(app: App, rules: RuleService): void {
  app.post(
    '/v1/:project_id/scorers/rules',
    {
      config: { access: projectKey('write') },
      schema: {
        tags,
        operationId: 'createScoringRule',
        summary: 'Create a rule: a scorer for new traces',
        params: ProjectParams,
        body: CreateRule,
        response: { 201: Rule },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await rules.create(request.params.project_id, request.body)),
  )

  app.get(
    '/v1/:project_id/scorers/rules',
    {
      config: { access: projectKey('read') },
      schema: {
        tags,
        operationId: 'listScoringRules',
        summary: 'List rules with their counts and mean scores, newest first',
        params: ProjectParams,
        response: { 200: Type.Array(Rule) },
      },
    },
    (request) => rules.list(request.params.project_id),
  )

  app.get(
    '/v1/:project_id/scorers/rules/:rule_id',
    {
      config: { access: projectKey('read') },
      schema: {
        tags,
        operationId: 'getScoringRule',
        summary: 'Read a rule',
        params: RuleParams,
        response: { 200: Rule },
      },
    },
    (request) => rules.get(request.params.project_id, request.params.rule_id),
  )

  app.patch(
    '/v1/:project_id/scorers/rules/:rule_id',
    {
      config: { access: projectKey('write') },
      schema: {
        tags,
        operationId: 'updateScoringRule',
        summary: 'Change, enable or disable a rule',
        params: RuleParams,
        body: UpdateRule,
        response: { 200: Rule },
      },
    },
    (request) => rules.update(request.params.project_id, request.params.rule_id, request.body),
  )

  app.delete(
    '/v1/:project_id/scorers/rules/:rule_id',
    {
      config: { access: projectKey('write') },
      schema: {
        tags,
        operationId: 'deleteScoringRule',
        summary: 'Delete a rule; its scores stay',
        params: RuleParams,
        response: { 200: Deleted },
      },
    },
    (request) => rules.delete(request.params.project_id, request.params.rule_id),
  )
}
