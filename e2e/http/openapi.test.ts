import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { Api } from '../support/api.ts'
import { type Description, documentPaths, pathsOf, targetOf } from '../support/api-description.ts'
import { sharedServer } from '../support/databases.ts'

/** Routes without a credential; every other route must name its credential. */
const open = ['GET /v1/health', 'GET /v1/ready', 'GET /v1/console/session']

interface Media {
  schema: Description
  example?: unknown
}

/** The values of all fields with a name, at any depth. */
function fieldsNamed(name: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const own = name in value ? [(value as Record<string, unknown>)[name]] : []
  return [...own, ...Object.values(value).flatMap((each) => fieldsNamed(name, each))]
}

const api = new Api(sharedServer('SQLite').url)

describe.each(documentPaths)('the OpenAPI document %s', (documentPath) => {
  let document: Description
  let text: string
  /** Operations without references. */
  let operations: { name: string; path: string; operation: Description }[]

  beforeAll(async () => {
    const answer = await api.get(documentPath)
    document = answer.body
    text = answer.text
    operations = Object.entries(pathsOf(document)).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        path,
        operation,
      })),
    )
  })

  /** The operation as the document has it. */
  const asWritten = (name: string) => {
    const [method = '', path = ''] = name.split(' ')
    return document.paths[path][method.toLowerCase()]
  }

  /** The bodies of a request and its successful responses, as the document has them. */
  function bodiesOf(name: string): Record<'requests' | 'responses', Media[]> {
    const { requestBody, responses } = asWritten(name)
    const successes = Object.entries<Description>(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([, response]) => (response.$ref ? targetOf(response.$ref, document) : response))
    return {
      requests: Object.values<Media>(requestBody?.content ?? {}),
      responses: successes.flatMap(({ content }) => Object.values<Media>(content)),
    }
  }

  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0')
    expect(await new Validator().validate(document)).toMatchObject({ valid: true })
  })

  it('has fewer than 200,000 bytes', () => {
    expect(Buffer.byteLength(text)).toBeLessThan(200_000)
  })

  it('has no reference without a target, and no component without a reference', () => {
    const references = fieldsNamed('$ref', document) as string[]
    for (const reference of references) expect(targetOf(reference, document), reference).toBeDefined()
    const { securitySchemes: _, ...sections } = document.components
    for (const [section, components] of Object.entries<object>(sections)) {
      for (const name of Object.keys(components)) {
        expect(references, name).toContain(`#/components/${section}/${name}`)
      }
    }
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
    expect(text).not.toContain('Default Response')
  })

  it('has a readable name of its own for every operation', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)*$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('describes the errors of every operation', () => {
    for (const { name, operation } of operations) {
      const { schema } = operation.responses.default.content['application/json']
      const { properties } = schema.properties.error ?? schema
      const isStatus = 'details' in properties || asWritten(name).responses.default.$ref.endsWith('OtlpError')
      if (isStatus) continue
      expect(Object.keys(properties), name).toEqual(expect.arrayContaining(['type', 'param', 'request_id']))
    }
  })

  it('names the schema of every body of a request and a response', () => {
    for (const { name } of operations) {
      const { requests, responses } = bodiesOf(name)
      for (const { schema } of [...requests, ...responses]) {
        expect(schema.$ref ?? schema.items?.$ref, name).toMatch(/^#\/components\/schemas\/[A-Z]\w+$/)
      }
    }
  })

  it('has a valid example for every operation', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })
    for (const { name } of operations) {
      const { requests, responses } = bodiesOf(name)
      const examples = [...requests, ...responses].filter((media) => 'example' in media)
      expect(examples.length, name).toBeGreaterThan(0)
      for (const { schema, example } of examples) {
        const validate = ajv.compile({ ...schema, components: document.components })
        expect(validate(example), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true)
      }
    }
  })

  it('names the credential of every other route', () => {
    for (const { name, operation } of operations) {
      expect(operation.security?.length === 0, name).toBe(open.includes(name))
    }
  })

  it('has the routes of the console exactly if it is about the console', () => {
    const isAboutConsole = documentPath === '/openapi-console.json'
    for (const { name, path } of operations) {
      expect(path.startsWith('/v1/console/'), name).toBe(isAboutConsole)
    }
  })

  it('describes every parameter of every path', () => {
    for (const { name, path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
      const described = operation.parameters.filter((parameter: Description) => parameter.in === 'path')
      expect(described.map((parameter: Description) => parameter.name).toSorted(), name).toEqual(
        inPath.toSorted(),
      )
    }
  })
})

describe('the OpenAPI document of applications', () => {
  let document: Description
  let paths: ReturnType<typeof pathsOf>

  beforeAll(async () => {
    document = (await api.get('/openapi.json')).body
    paths = pathsOf(document)
  })

  it('names every credential that exporters of OpenTelemetry may send', () => {
    const { security } = document.paths['/v1/traces'].post
    const { securitySchemes } = document.components
    const schemes = security.map((each: object) => securitySchemes[Object.keys(each)[0] ?? ''])
    expect(schemes).toMatchObject([
      { type: 'http', scheme: 'bearer' },
      { type: 'apiKey', in: 'header', name: 'x-api-key' },
      { type: 'http', scheme: 'basic' },
    ])
  })

  it('describes the multipart form of an upload', () => {
    const upload = paths['/v1/{chat_id}/upload_with_scopes']?.post
    const schema = upload.requestBody.content['multipart/form-data'].schema
    expect(Object.keys(schema.properties).toSorted()).toEqual(['file', 'scope_values'])
    expect(schema.required).toEqual(['file'])
  })

  it('describes the servers and the webhooks', () => {
    expect(document.servers[0].url).toBe('/')
    expect(Object.keys(document.webhooks)).toContain('run_completed')
    const { schema } = document.webhooks.run_completed.post.requestBody.content['application/json']
    expect((targetOf(schema.$ref, document) as Description).properties.type.const).toBe('run_completed')
  })

  it('is shown as a page, with the document of the console', async () => {
    expect((await api.get('/docs/')).text).toContain('swagger-ui')
    const { text } = await api.get('/docs/static/swagger-initializer.js')
    for (const path of documentPaths) expect(text).toContain(path)
    expect((await api.get('/docs/json')).body).toEqual(document)
    expect((await api.get('/docs/yaml')).text).toContain('operationId: createTrace')
  })
})
