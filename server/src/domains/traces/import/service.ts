import { CairnError } from '@cairn/contract'
import type { ImportRow } from '../store/index.ts'
import { type ImportRequest, type ImportResult, type ImportServiceOptions, Run } from './run.ts'
import { type ImportSource, identify, isKnownAs } from './source.ts'

/** Brings traces from a file into a project, each line once, whatever happens in between. */
export class ImportService {
  readonly #options: ImportServiceOptions

  constructor(options: ImportServiceOptions) {
    this.#options = options
  }

  /** Throws `conflict` when another import of the same file is under way, or the file has changed. */
  async run(request: ImportRequest): Promise<ImportResult> {
    const start = await this.#begin(request)
    const pricing = await this.#options.pricing(request.projectId)
    return new Run(this.#options, request, start, pricing).run()
  }

  /** Where the import goes on: the row as it is, or a new one. */
  async #begin({ projectId, source, isAgain, isDryRun }: ImportRequest): Promise<ImportRow> {
    const fresh: ImportRow = {
      project_id: projectId,
      ...identify(source.head),
      ...{ bytes_from: 0, bytes_done: 0, lines_done: 0, imported: 0, rejected: 0, rejected_bytes: 0 },
      updated_at: 0,
    }
    if (isDryRun || source.head.length === 0) return fresh
    const found = (await this.#options.imports.list(projectId))
      .filter((row) => isKnownAs(source.head, row))
      .sort((a, b) => b.head_bytes - a.head_bytes)[0]
    if (!found) return fresh
    if (source.length !== undefined && source.length < found.bytes_done) {
      throw new CairnError('conflict', 'the file begins like one that was imported, and is shorter than that')
    }
    if (!isAgain || !(await isDone(source, found))) return found
    await this.#options.imports.forget(projectId, found.source)
    return fresh
  }
}

/** Whether nothing is left of the file. */
async function isDone(source: ImportSource, row: ImportRow): Promise<boolean> {
  for await (const chunk of source.chunks(row.bytes_done)) if (chunk.length > 0) return false
  return true
}
