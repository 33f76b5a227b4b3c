/** An inconsistency of a database, and the statement that returns its number in the column `count`. */
export interface Check {
  /** The inconsistent rows, in the plural: "chunks without their document". */
  fault: string
  sql: string
}

/** Counts rows of `child` whose row of `parent` with the same values of these columns is missing; null references no row. */
function orphans(child: string, parent: string, ...columns: string[]): Check {
  const joined = columns.map((column) => `p.${column} = c.${column}`).join(' and ')
  const notNull = columns.map((column) => `c.${column} is not null`).join(' and ')
  const nameOf = (table: string) => table.replace(/^(project|chat|application)_rows$/, '$1s')
  return {
    fault: `rows of ${nameOf(child)} without their row of ${nameOf(parent)}`,
    sql: `select count(*) as count from ${child} c
      where ${notNull} and not exists (select 1 from ${parent} p where ${joined})`,
  }
}

const references: readonly Check[] = [
  orphans('chat_rows', 'project_rows', 'project_id'),
  orphans('api_keys', 'project_rows', 'project_id'),
  orphans('api_keys', 'chat_rows', 'chat_id'),
  orphans('chat_publications', 'chat_rows', 'chat_id'),
  orphans('chat_rows', 'application_rows', 'app_id'),
  orphans('application_rows', 'project_rows', 'project_id'),
  orphans('application_rows', 'chat_rows', 'chat_id'),
  orphans('app_users', 'application_rows', 'app_id'),
  orphans('app_users', 'chat_rows', 'chat_id'),
  orphans('scope_configurations', 'chat_rows', 'chat_id'),
  orphans('document_rows', 'chat_rows', 'chat_id'),
  orphans('documents', 'document_text_parts', 'chat_id', 'file_id'),
  orphans('document_text_parts', 'document_rows', 'chat_id', 'file_id'),
  orphans('documents', 'document_segments', 'chat_id', 'file_id'),
  orphans('document_segments', 'documents', 'chat_id', 'file_id'),
  orphans('documents', 'chunks', 'chat_id', 'file_id'),
  orphans('chunk_rows', 'document_rows', 'chat_id', 'file_id'),
  orphans('link_properties', 'chunk_rows', 'chat_id', 'chunk_id'),
  orphans('vector_spaces', 'chat_rows', 'chat_id'),
  orphans('document_vectors', 'vector_spaces', 'chat_id', 'space_id'),
  orphans('document_vectors', 'document_rows', 'chat_id', 'file_id'),
  orphans('relationships', 'chat_rows', 'chat_id'),
  orphans('relationships', 'documents', 'chat_id', 'file_id'),
  orphans('traces', 'project_rows', 'project_id'),
  orphans('traces', 'trace_bodies', 'project_id', 'trace_id'),
  orphans('trace_bodies', 'traces', 'project_id', 'trace_id'),
  orphans('trace_labels', 'traces', 'project_id', 'trace_id'),
  orphans('scores', 'traces', 'project_id', 'trace_id'),
  orphans('answer_chats', 'traces', 'project_id', 'trace_id'),
  orphans('otlp_spans', 'project_rows', 'project_id'),
  orphans('otlp_traces', 'project_rows', 'project_id'),
  orphans('otlp_pending', 'otlp_spans', 'project_id', 'trace_id', 'item_id'),
  orphans('scorings', 'project_rows', 'project_id'),
  orphans('scoring_failures', 'scorings', 'project_id', 'scoring_id'),
  orphans('scoring_rules', 'project_rows', 'project_id'),
  orphans('scoring_arrivals', 'project_rows', 'project_id'),
  orphans('rollups', 'project_rows', 'project_id'),
  orphans('idempotency_keys', 'project_rows', 'project_id'),
  orphans('imports', 'project_rows', 'project_id'),
  orphans('versions', 'project_rows', 'project_id'),
  orphans('active_versions', 'versions', 'project_id', 'version_id'),
  orphans('version_activations', 'versions', 'project_id', 'version_id'),
  orphans('test_suites', 'project_rows', 'project_id'),
  orphans('test_cases', 'test_suites', 'project_id', 'suite_id'),
  orphans('test_runs', 'test_suites', 'project_id', 'suite_id'),
  orphans('test_results', 'test_runs', 'project_id', 'run_id'),
  orphans('project_prices', 'project_rows', 'project_id'),
  orphans('usage_days', 'project_rows', 'project_id'),
  orphans('budgets', 'project_rows', 'project_id'),
  orphans('budget_periods', 'budgets', 'budget_id'),
  orphans('budget_reservations', 'budgets', 'budget_id'),
  orphans('events', 'project_rows', 'project_id'),
  orphans('webhooks', 'project_rows', 'project_id'),
  orphans('webhook_deliveries', 'events', 'project_id', 'event_id'),
  orphans('webhook_deliveries', 'webhooks', 'webhook_id'),
]

/** Every private chat belongs to a user. */
const users: readonly Check[] = [
  {
    fault: 'private chats without their user',
    sql: `select count(*) as count from chats c where app_id is not null and not exists
      (select 1 from app_users u where u.chat_id = c.chat_id and u.app_id = c.app_id)`,
  },
]

/** The order and ranges of the chunks of a document, and its relationships. */
const graph: readonly Check[] = [
  {
    fault: 'documents whose chunk_count is not the number of their chunks',
    sql: `select count(*) as count from documents d where chunk_count <>
      (select count(*) from chunks c where c.chat_id = d.chat_id and c.file_id = d.file_id)`,
  },
  {
    fault: 'documents whose chunks are not numbered from 0 without a gap',
    sql: `select count(*) as count from (
      select chat_id from chunks group by chat_id, file_id
      having min(chunk_order) <> 0 or max(chunk_order) <> count(*) - 1) as broken`,
  },
  {
    fault: 'chunks that overlap or precede the previous chunk',
    sql: `select count(*) as count from chunks b left join chunks a
      on a.chat_id = b.chat_id and a.file_id = b.file_id and a.chunk_order = b.chunk_order - 1
      where b.end_offset <= b.start_offset or b.start_offset < coalesce(a.end_offset, 0)`,
  },
  {
    fault: 'properties of a NEXT relationship without a next chunk',
    sql: `select count(*) as count from link_properties l join chunks a
      on a.chat_id = l.chat_id and a.chunk_id = l.chunk_id
      where l.type = 'NEXT' and not exists (select 1 from chunks b
        where b.chat_id = a.chat_id and b.file_id = a.file_id and b.chunk_order = a.chunk_order + 1)`,
  },
  {
    fault: 'stored relationships of a type that is derived from the chunks',
    sql: `select count(*) as count from relationships where type in ('HAS_CHUNK', 'NEXT')`,
  },
  {
    fault: 'relationships without their source or target',
    sql: `select count(*) as count from relationships r where
      not exists (select 1 from chunks c where c.chat_id = r.chat_id and c.chunk_id = r.target_id)
      or not exists (select 1 from chunks c where c.chat_id = r.chat_id and c.chunk_id = r.source_id)`,
  },
  {
    fault: 'relationships made from a document whose source or target is outside the document',
    sql: `select count(*) as count from relationships r where r.file_id is not null and 2 <>
      (select count(*) from chunks c where c.chat_id = r.chat_id and c.file_id = r.file_id
        and c.chunk_id in (r.source_id, r.target_id))`,
  },
]

const sums: readonly Check[] = [
  {
    fault: 'documents with more or fewer vectors than chunks',
    sql: `select count(*) as count from document_vectors v
      join vector_spaces s on s.chat_id = v.chat_id and s.space_id = v.space_id
      join documents d on d.chat_id = v.chat_id and d.file_id = v.file_id
      where length(v.vectors) <> 4 * s.dimensions * d.chunk_count`,
  },
  {
    fault: 'segments of the index that are newer than their chat',
    sql: `select count(*) as count from document_segments s join chats c on c.chat_id = s.chat_id
      where s.version > c.index_version`,
  },
  {
    fault: 'runs whose counts differ from their results',
    sql: `select count(*) as count from test_runs r join projects l on l.project_id = r.project_id where
      r.total <> (select count(*) from test_results c where c.project_id = r.project_id and c.run_id = r.run_id)
      or r.passed <> (select count(*) from test_results c where c.project_id = r.project_id
        and c.run_id = r.run_id and c.passed = 1)
      or r.failed <> (select count(*) from test_results c where c.project_id = r.project_id
        and c.run_id = r.run_id and c.passed = 0)
      or (r.status = 'completed' and r.passed + r.failed <> r.total)`,
  },
  {
    fault: 'projects whose rollups by day do not count every trace once',
    sql: `select count(*) as count from projects p where
      (select count(*) from traces t where t.project_id = p.project_id) <>
      (select coalesce(sum(r.traces), 0) from rollups r where r.project_id = p.project_id
        and r.dimension = 'all' and r.width_ms = 86400000)`,
  },
]

/** Rows that wait for a background job, but have no job. */
const waiting: readonly Check[] = [
  {
    fault: 'running batches of scorers without a job',
    sql: `select count(*) as count from scorings s where s.state = 'running'
      and not exists (select 1 from jobs j where j.job_id = 'job_' || substr(s.scoring_id, 5))`,
  },
  {
    fault: 'traces that wait for a scoring rule without a job',
    sql: `select count(*) as count from scoring_arrivals a
      where not exists (select 1 from jobs j where j.job_id = 'job_' || substr(a.rule_id, 5))`,
  },
  {
    fault: 'received spans that are in no trace yet and have no job',
    sql: `select count(*) as count from otlp_pending i
      where not exists (select 1 from jobs j where j.job_id = 'otlp_' || i.project_id)`,
  },
  {
    fault: 'projects, chats and applications in deletion without a job',
    sql: `select count(*) as count from (
      select project_id as id from project_rows where state = 'deleting'
      union all select chat_id from chat_rows where state = 'deleting'
      union all select app_id from application_rows where state = 'deleting') as d
      where not exists (select 1 from jobs j where j.job_id = 'delete_' || d.id)`,
  },
]

/** Documents with an expired lease. A running server deletes them within a minute or two. */
export function abandoned(nowMs: number): Check {
  return {
    fault: 'documents whose writing or deletion was interrupted',
    sql: `select count(*) as count from document_rows where state <> 'stored' and lease_until < ${nowMs}`,
  }
}

/** Each check is one statement over all rows, so that it reads one snapshot and needs no memory of the server. */
export const checks: readonly Check[] = [...references, ...users, ...graph, ...sums, ...waiting]
