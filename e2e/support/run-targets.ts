import { type Api, createTenant, type Tenant } from './api.ts'
import { Endpoint } from './endpoint.ts'
import { StubProvider } from './provider.ts'
import type { NewCase } from './runs.ts'
import { type Server, startServer } from './server.ts'

export const casesOf = (count: number, others: Partial<NewCase> = {}): NewCase[] =>
  Array.from({ length: count }, (_, n) => ({ query: `question ${n}`, expected_answer: 'x', ...others }))

/** A server with a project whose test runs can call a local endpoint and a scripted provider. */
export class RunTargets {
  readonly server: Server
  readonly endpoint: Endpoint
  readonly provider: StubProvider
  readonly tenant: Tenant
  readonly project: Api
  readonly projectId: string
  /** The path of the project's runs. */
  readonly runs: string

  private constructor(server: Server, endpoint: Endpoint, provider: StubProvider, tenant: Tenant) {
    this.server = server
    this.endpoint = endpoint
    this.provider = provider
    this.tenant = tenant
    this.project = tenant.project
    this.projectId = tenant.projectId
    this.runs = `/v1/${tenant.projectId}/testing/runs`
  }

  static async start(env: Record<string, string>): Promise<RunTargets> {
    const endpoint = await Endpoint.start()
    const provider = await StubProvider.start()
    const server = await startServer({
      env: {
        ...env,
        ...provider.env('openai'),
        CAIRN_EMBEDDING_MODEL: 'openai/text-embedding-3-small',
        CAIRN_ALLOW_INSECURE_ISSUERS: 'true',
      },
    })
    return new RunTargets(server, endpoint, provider, await createTenant(server.url))
  }

  /** Forgets all calls, and sets the default answers. */
  reset(): void {
    this.endpoint.calls.length = 0
    this.provider.calls.length = 0
    this.endpoint.answer = ({ body }) => ({ body: { output: `You said: ${body.query}` } })
    this.provider.script = () => ({ pieces: ['Yes.'] })
  }

  async traceOf(traceId: string) {
    return (await this.project.ok('GET', `/v1/${this.projectId}/analytics/traces/${traceId}`)).body
  }

  async runOf(runId: string) {
    return (await this.project.ok('GET', `${this.runs}/${runId}`)).body
  }

  async tracesOf(runId: string) {
    const path = `/v1/${this.projectId}/analytics/traces?limit=1000&attr.run_id=${runId}`
    return (await this.project.ok('GET', path)).body
  }

  /** Stops everything; returns the output of the server. */
  async stop(): Promise<string> {
    await this.server.stop()
    this.endpoint.stop()
    this.provider.stop()
    return this.server.output()
  }
}
