import { CairnError, type ImportedTrace } from '@cairn/contract'
import type { Pricing } from '../../prices/index.ts'
import type { ImportRow, ImportStore } from '../store/index.ts'
import type { TraceStore } from '../store.ts'
import { type ImportRequest, type ImportResult, Run } from './run.ts'
import { type ImportSource, identify, isIdentifiedBy } from './source.ts'
import { type ImportTarget, traceTarget } from './target.ts'

export interface ImportServiceOptions {
  store: TraceStore
  imports: ImportStore
  pricing: (projectId: string) => Promise<Pricing>
  checkLine: (value: unknown) => ImportedTrace
  maxLineBytes: number
}

/** Imports traces from files. Each line is imported once, also after crashes and repeated runs. */
export class ImportService {
  readonly #options: ImportServiceOptions

  constructor(options: ImportServiceOptions) {
    this.#options = options
  }

  /** @throws `conflict` if another import of the same file is running, or the file is shorter than before */
  async run(request: ImportRequest): Promise<ImportResult> {
    const { projectId } = request
    const pricing = await this.#options.pricing(projectId)
    return this.runInto(traceTarget({ ...this.#options, projectId, pricing }), request)
  }

  /** The same for a file in another format. */
  async runInto<Row>(target: ImportTarget<Row>, request: ImportRequest): Promise<ImportResult> {
    return new Run(target, request, await this.#begin(request)).run()
  }

  /** The progress from which the import continues: the stored row, or a new one. */
  async #begin({ projectId, source, isReimport, isDryRun }: ImportRequest): Promise<ImportRow> {
    const newRow: ImportRow = {
      project_id: projectId,
      ...identify(source.head),
      ...{ bytes_from: 0, bytes_done: 0, lines_done: 0, imported: 0, rejected: 0, rejected_bytes: 0 },
      updated_at: 0,
    }
    if (isDryRun || source.head.length === 0) return newRow
    const found = (await this.#options.imports.list(projectId))
      .filter((row) => isIdentifiedBy(source.head, row))
      .sort((a, b) => b.head_bytes - a.head_bytes)[0]
    if (!found) return newRow
    if (source.length !== undefined && source.length < found.bytes_done) {
      throw new CairnError(
        'conflict',
        'the file begins like an imported file, but is shorter; import a complete file',
      )
    }
    if (!isReimport || !(await isDone(source, found))) return found
    await this.#options.imports.delete(projectId, found.source)
    return newRow
  }
}

/** Whether the file has no content after the imported part. */
async function isDone(source: ImportSource, row: ImportRow): Promise<boolean> {
  for await (const chunk of source.chunks(row.bytes_done)) if (chunk.length > 0) return false
  return true
}
