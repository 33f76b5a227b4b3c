import type { Answer, Tenant } from './api.ts'
import { uploadForm } from './api.ts'
import { sampleText, sampleTrace } from './samples.ts'

/** What a server has said to be stored: only what a client has read a 2xx of. */
export interface Promises {
  /** Trace id → number of the sample. */
  traces: Map<string, number>
  /** File id → what the upload answered. */
  documents: Map<string, { filename: string; chunkCount: number }>
}

export interface Pdf {
  bytes: Uint8Array
  /** Chunks that it is cut into, known from an upload that nothing disturbed. */
  chunkCount: number
}

/** Good traces of a batch; one more, bad item is sent with them. */
export const batchSize = 8

/** Clients that write to one tenant, each as fast as it is answered, until the server fails one of them. */
export class KillClients {
  readonly promises: Promises = { traces: new Map(), documents: new Map() }
  /** Answers that nothing excuses. */
  readonly unexpected: string[] = []
  /** Requests sent and not yet answered. */
  inFlight = 0
  /** Requests whose answer never came. */
  lost = 0
  readonly #tenant: Tenant
  readonly #draw: () => number
  readonly #pdf: Pdf | undefined

  /** `draw` hands out sample numbers, each once for the whole test. */
  constructor(tenant: Tenant, draw: () => number, pdf: Pdf | undefined) {
    this.#tenant = tenant
    this.#draw = draw
    this.#pdf = pdf
  }

  /** Resolves when every client was failed; with a signal they go on until it aborts. */
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

  /** The answer, or undefined when there is none, or not the wanted one. */
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

  /** Resolves when a file of that extension was acknowledged; rejects when that takes too long. */
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
    // Other scope values make another file of the same bytes.
    return this.#upload(`report-${number}.pdf`, this.#pdf?.bytes ?? '', { copy: number })
  }
}
