import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, it } from 'vitest'
import { Api } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'

interface Operation {
  summary?: string
  tags?: string[]
  description?: string
  security?: Record<string, unknown>[]
  parameters?: { name: string; in: string; required?: boolean }[]
  responses: Record<string, unknown>
}

/** Routes without a credential; every other route must name its credential. */
const open = ['GET /v1/health', 'GET /v1/ready', 'GET /v1/console/session']

describe.each(sharedServers.slice(0, 1))('the OpenAPI document', ({ server }) => {
  // biome-ignore lint/suspicious/noExplicitAny: a document of any shape goes into the validator
  let document: any
  let operations: { name: string; path: string; operation: Operation }[]

  beforeAll(async () => {
    document = (await new Api(server.url).get('/openapi.json')).body
    operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({
          name: `${method.toUpperCase()} ${path}`,
          path,
          operation,
        })),
    )
  })

  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0')
    expect(await new Validator().validate(document)).toMatchObject({ valid: true })
  })

  it('has a summary, a tag and a success response for every operation', () => {
    expect(operations.length).toBeGreaterThan(20)
    for (const { name, operation } of operations) {
      expect(operation.summary, name).toEqual(expect.any(String))
      expect(operation.tags, name).toHaveLength(1)
      expect(
        Object.keys(operation.responses).some((status) => status.startsWith('2')),
        name,
      ).toBe(true)
    }
  })

  it('names the credential of every other route', () => {
    for (const { name, operation } of operations) {
      expect(operation.security?.length === 0, name).toBe(open.includes(name))
    }
  })

  it('describes every parameter of every path', () => {
    for (const { name, path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
      const described = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      expect(described.map((parameter) => parameter.name).toSorted(), name).toEqual(inPath.toSorted())
    }
  })

  it('describes the multipart form of an upload', () => {
    const upload = document.paths['/v1/{chat_id}/upload_with_scopes'].post
    const schema = upload.requestBody.content['multipart/form-data'].schema
    expect(Object.keys(schema.properties).toSorted()).toEqual(['file', 'scope_values'])
    expect(schema.required).toEqual(['file'])
  })
})
