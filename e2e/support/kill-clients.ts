import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Tenant } from './api.ts'
import { uploadForm } from './api.ts'
import { sampleText, sampleTrace } from './samples.ts'

/** Data that the server has acknowledged: a client has read the 2xx. */
export interface Promises {
  /** Trace id → number of the sample. */
  traces: Map<string, number>
  /** File id → response to the upload. */
  documents: Map<string, { filename: string; chunkCount: number }>
}

export interface Pdf {
  bytes: Uint8Array
  /** The number of its chunks in an undisturbed upload. */
  chunkCount: number
}

/** Valid traces of a batch; one invalid item is sent with them. */
export const batchSize = 8

/** Clients that write to one tenant, each in a loop, until the server fails. */
export class KillClients {
  readonly promises: Promises = { traces: new Map(), documents: new Map() }
  /** Unexpected responses. */
  readonly unexpected: string[] = []
  /** Requests without a response yet. */
  inFlight = 0
  /** Requests that got no response. */
  lost = 0
  readonly #tenant: Tenant
  readonly #draw: () => number
  readonly #pdf: Pdf | undefined

  /** `draw` returns sample numbers, each once per test. */
  constructor(tenant: Tenant, draw: () => number, pdf: Pdf | undefined) {
    this.#tenant = tenant
    this.#draw = draw
    this.#pdf = pdf
  }

  /** Resolves when every client has failed. With a signal, clients continue until it aborts. */
  async run(signal?: AbortSignal): Promise<void> {
    const steps = [
      () => this.#single(),
      () => this.#single(),
      () => this.#single(),
      () => this.#batch(),
      () => this.#text(),
      () => this.#text(),
      ...(this.#pdf ? [() => this.#report()] : []),
    ]
    await Promise.all(
      steps.map(async (step) => {
        while (!signal?.aborted && ((await step()) || signal));
      }),
    )
  }

  /** The response; undefined if there is none, or an unexpected one. */
  async #request(send: () => Promise<Answer>, status: number): Promise<Answer | undefined> {
    this.inFlight++
    try {
      const answer = await send()
      if (answer.status === status) return answer
      this.unexpected.push(`${answer.status} ${answer.text}`)
    } catch {
      this.lost++
    } finally {
      this.inFlight--
    }
    return undefined
  }

  /** Resolves when a file with this extension was acknowledged; rejects after a time limit. */
  async untilUploaded(extension: string): Promise<void> {
    const end = Date.now() + 60_000
    while (![...this.promises.documents.values()].some(({ filename }) => filename.endsWith(extension))) {
      if (Date.now() > end) throw new Error(`no ${extension} was acknowledged: ${this.unexpected}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async #single(): Promise<boolean> {
    const { project, projectId } = this.#tenant
    const number = this.#draw()
    const answer = await this.#request(
      () => project.post(`/v1/${projectId}/traces`, sampleTrace(number)),
      201,
    )
    if (answer) this.promises.traces.set(answer.body.trace_id, number)
    // More traces would find no more faults, and take longer to check.
    await pause(5)
    return answer !== undefined
  }

  async #batch(): Promise<boolean> {
    const { project, projectId } = this.#tenant
    const batch = this.#draw()
    const numbers = Array.from({ length: batchSize }, this.#draw)
    const traces: unknown[] = numbers.map((number) => sampleTrace(number, batch))
    traces.splice(batchSize / 2, 0, { input: 'without an output' })
    const send = () => project.post(`/v1/${projectId}/traces/batch`, { traces })
    const answer = await this.#request(send, 201)
    const created: { trace_id: string }[] = (answer?.body.results ?? []).filter(
      (result: object) => 'trace_id' in result,
    )
    if (answer && created.length !== batchSize) this.unexpected.push(`a batch created ${created.length}`)
    for (const [index, { trace_id }] of created.entries()) {
      this.promises.traces.set(trace_id, numbers[index] ?? -1)
    }
    return answer !== undefined
  }

  async #upload(filename: string, content: string | Uint8Array, scopes?: object): Promise<boolean> {
    const { chat, chatId } = this.#tenant
    const form = uploadForm(filename, content, scopes)
    const answer = await this.#request(() => chat.post(`/v1/${chatId}/upload_with_scopes`, form), 200)
    if (answer) {
      const { file_id, chunk_count } = answer.body
      this.promises.documents.set(file_id, { filename, chunkCount: chunk_count })
    }
    return answer !== undefined
  }

  #text(): Promise<boolean> {
    const number = this.#draw()
    return this.#upload(`notes-${number}.${number % 2 ? 'md' : 'txt'}`, sampleText(number))
  }

  #report(): Promise<boolean> {
    const number = this.#draw()
    // With other scope values, the same bytes are another file.
    return this.#upload(`report-${number}.pdf`, this.#pdf?.bytes ?? '', { copy: number })
  }
}
