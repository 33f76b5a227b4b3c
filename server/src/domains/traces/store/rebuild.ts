import { type Db, insertRows, type Trx } from '../../../db/index.ts'
import { Increments, rollupUpsert } from '../../rollups/index.ts'
import { toNewTrace } from '../facts.ts'
import { decodeRecord } from '../record.ts'

const step = 500

/** Whether the project has traces of an older version, which wrote no rollups. */
async function needsRebuild(trx: Trx, projectId: string): Promise<boolean> {
  const of = (table: 'traces' | 'rollups') =>
    trx.selectFrom(table).select('project_id').where('project_id', '=', projectId).limit(1).executeTakeFirst()
  return (await of('traces')) !== undefined && (await of('rollups')) === undefined
}

async function rebuildStep(trx: Trx, db: Db, projectId: string, after: string): Promise<string | undefined> {
  const stored = await trx
    .selectFrom('trace_bodies')
    .select(['trace_id', 'body'])
    .where('project_id', '=', projectId)
    .where('trace_id', '>', after)
    .orderBy('trace_id')
    .limit(step)
    .execute()
  const increments = new Increments()
  for (const { trace_id, body } of stored) {
    const { facts, costSource, labels } = toNewTrace(projectId, decodeRecord(body), () => null)
    increments.addTrace(facts)
    await insertRows(trx, {
      table: 'trace_labels',
      columns: ['project_id', 'name', 'value', 'created_at', 'trace_id'],
      rows: labels.map(({ name, value }) => [projectId, name, value, facts.createdMs, trace_id]),
    })
    await trx
      .updateTable('traces')
      .set({
        model: facts.model,
        version: facts.version,
        environment: facts.environment,
        cost: facts.cost?.total ?? null,
        cost_source: costSource,
        llm_cost: facts.cost?.llm ?? null,
        embedding_cost: facts.cost?.embedding ?? null,
        reranking_cost: facts.cost?.reranking ?? null,
        prompt_tokens: facts.promptTokens,
        completion_tokens: facts.completionTokens,
        total_tokens: facts.totalTokens,
      })
      .where('project_id', '=', projectId)
      .where('trace_id', '=', trace_id)
      .execute()
  }
  await insertRows(trx, rollupUpsert(db.dialect, increments))
  return stored.length < step ? undefined : stored.at(-1)?.trace_id
}

/**
 * Computes the labels, parts of costs and rollups of traces that an older version wrote without them, in one transaction.
 * Returns whether anything was missing.
 */
export function rebuildProject(db: Db, projectId: string): Promise<boolean> {
  return db.transaction(async (trx) => {
    if (!(await needsRebuild(trx, projectId))) return false
    let after: string | undefined = ''
    while (after !== undefined) after = await rebuildStep(trx, db, projectId, after)
    return true
  })
}
