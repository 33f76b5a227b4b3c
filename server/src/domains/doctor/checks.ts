/** Something that must not be in a database, and the statement that counts it in the column `count`. */
export interface Check {
  /** In the plural: "chunks without their document". */
  fault: string
  sql: string
}

/** Rows that name a row of another table by these columns (null names none). */
function orphans(child: string, parent: string, ...columns: string[]): Check {
  const joined = columns.map((column) => `p.${column} = c.${column}`).join(' and ')
  const given = columns.map((column) => `c.${column} is not null`).join(' and ')
  const shown = (table: string) => table.replace(/^(project|chat|application)_rows$/, '$1s')
  return {
    fault: `rows of ${shown(child)} without their row of ${shown(parent)}`,
    sql: `select count(*) as count from ${child} c
      where ${given} and not exists (select 1 from ${parent} p where ${joined})`,
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

/** A private chat is somebody's. */
const users: readonly Check[] = [
  {
    fault: 'private chats without their user',
    sql: `select count(*) as count from chats c where app_id is not null and not exists
      (select 1 from app_users u where u.chat_id = c.chat_id and u.app_id = c.app_id)`,
  },
]

/** What holds the chunks of a document together. */
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
    fault: 'chunks that lie before or over the chunk ahead of them',
    sql: `select count(*) as count from chunks b left join chunks a
      on a.chat_id = b.chat_id and a.file_id = b.file_id and a.chunk_order = b.chunk_order - 1
      where b.end_offset <= b.start_offset or b.start_offset < coalesce(a.end_offset, 0)`,
  },
  {
    fault: 'properties of a NEXT that no chunk follows',
    sql: `select count(*) as count from link_properties l join chunks a
      on a.chat_id = l.chat_id and a.chunk_id = l.chunk_id
      where l.type = 'NEXT' and not exists (select 1 from chunks b
        where b.chat_id = a.chat_id and b.file_id = a.file_id and b.chunk_order = a.chunk_order + 1)`,
  },
  {
    fault: 'stored relationships of a type that follows from the chunks',
    sql: `select count(*) as count from relationships where type in ('HAS_CHUNK', 'NEXT')`,
  },
  {
    fault: 'relationships that begin or end nowhere',
    sql: `select count(*) as count from relationships r where
      not exists (select 1 from chunks c where c.chat_id = r.chat_id and c.chunk_id = r.target_id)
      or not exists (select 1 from chunks c where c.chat_id = r.chat_id and c.chunk_id = r.source_id)`,
  },
  {
    fault: 'relationships that were made from a document and do not lie inside of it',
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
    fault: 'runs whose counts are not those of their results',
    sql: `select count(*) as count from test_runs r join projects l on l.project_id = r.project_id where
      r.total <> (select count(*) from test_results c where c.project_id = r.project_id and c.run_id = r.run_id)
      or r.passed <> (select count(*) from test_results c where c.project_id = r.project_id
        and c.run_id = r.run_id and c.passed = 1)
      or r.failed <> (select count(*) from test_results c where c.project_id = r.project_id
        and c.run_id = r.run_id and c.passed = 0)
      or (r.status = 'completed' and r.passed + r.failed <> r.total)`,
  },
  {
    fault: 'projects whose sums by day do not count every trace once',
    sql: `select count(*) as count from projects p where
      (select count(*) from traces t where t.project_id = p.project_id) <>
      (select coalesce(sum(r.traces), 0) from rollups r where r.project_id = p.project_id
        and r.dimension = 'all' and r.width_ms = 86400000)`,
  },
]

/** What waits for background work that nobody will do. */
const waiting: readonly Check[] = [
  {
    fault: 'batches of judges that run without a job',
    sql: `select count(*) as count from scorings s where s.state = 'running'
      and not exists (select 1 from jobs j where j.job_id = 'job_' || substr(s.scoring_id, 5))`,
  },
  {
    fault: 'traces that wait for a rule without a job',
    sql: `select count(*) as count from scoring_arrivals a
      where not exists (select 1 from jobs j where j.job_id = 'job_' || substr(a.rule_id, 5))`,
  },
  {
    fault: 'projects, chats and applications that are being deleted without a job',
    sql: `select count(*) as count from (
      select project_id as id from project_rows where state = 'deleting'
      union all select chat_id from chat_rows where state = 'deleting'
      union all select app_id from application_rows where state = 'deleting') as d
      where not exists (select 1 from jobs j where j.job_id = 'delete_' || d.id)`,
  },
]

/** What was left behind, and that nobody has swept. A server on the database does so within a minute or two. */
export function abandoned(nowMs: number): Check {
  return {
    fault: 'documents whose writing or deletion was left behind',
    sql: `select count(*) as count from document_rows where state <> 'stored' and lease_until < ${nowMs}`,
  }
}

/** Each is one statement over all rows, so it sees one moment, and takes no memory of the server. */
export const checks: readonly Check[] = [...references, ...users, ...graph, ...sums, ...waiting]
