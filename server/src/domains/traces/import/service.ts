import { CairnError } from '@cairn/contract'
import type { ImportRow } from '../store/index.ts'
import { type ImportRequest, type ImportResult, type ImportServiceOptions, Run } from './run.ts'
import { type ImportSource, identify, isIdentifiedBy } from './source.ts'

/** Imports traces from files. Each line is imported once, also after crashes and repeated runs. */
export class ImportService {
  readonly #options: ImportServiceOptions

  constructor(options: ImportServiceOptions) {
    this.#options = options
  }

  /** @throws `conflict` if another import of the same file is running, or the file is shorter than before */
  async run(request: ImportRequest): Promise<ImportResult> {
    const start = await this.#begin(request)
    const pricing = await this.#options.pricing(request.projectId)
    return new Run(this.#options, request, start, pricing).run()
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
