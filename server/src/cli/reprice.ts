import { CairnError } from '@cairn/contract'
import { createTraceServices } from '../app/traces.ts'
import type { Config } from '../config.ts'
import { migrate, openDatabase } from '../db/index.ts'
import { count, createProgress, plural } from './progress.ts'
import { parseCommand, UsageError } from './usage.ts'

function parse(args: string[]) {
  const text = { type: 'string' } as const
  const { positionals, values } = parseCommand({
    args,
    allowPositionals: true,
    options: { 'start-date': text, 'end-date': text, model: text },
  })
  const [projectId, ...others] = positionals
  if (!projectId || others.length > 0) throw new UsageError('name one project')
  const { 'start-date': start_date = null, 'end-date': end_date = null, model = null } = values
  return { projectId, filters: { start_date, end_date, model } }
}

/** Computes the costs of traces again, except costs that a client sent. */
export async function reprice(config: Config, args: string[]): Promise<number> {
  const { projectId, filters } = parse(args)
  const db = await openDatabase(config)
  const progress = createProgress()
  try {
    await migrate(db)
    const { traceChanges } = createTraceServices({ config, db })
    const sum = await traceChanges.reprice(projectId, filters, ({ examined, changed }) =>
      progress.show(() => `${plural(examined, 'trace')} examined, ${count(changed)} changed`),
    )
    progress.end()
    process.stdout.write(
      `examined ${plural(sum.examined, 'trace')}, changed ${count(sum.changed)}\n` +
        `total cost ${sum.total_before.toFixed(6)} -> ${sum.total_after.toFixed(6)} USD\n`,
    )
    return 0
  } catch (error) {
    // The project does not exist, or a date is invalid.
    throw error instanceof CairnError ? new UsageError(error.message) : error
  } finally {
    progress.end()
    await db.close()
  }
}
