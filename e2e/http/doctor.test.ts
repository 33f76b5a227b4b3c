import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { createPlace, type Place, runCommand } from '../support/command.ts'
import { createPostgresDatabase, databases } from '../support/databases.ts'
import { sampleText, sampleTrace } from '../support/samples.ts'
import { startServer } from '../support/server.ts'
import { createIds } from '../support/state.ts'
import { tamper } from '../support/tamper.ts'

type Damage = [name: string, statements: string[], fault: RegExp]

/** Damages of a database with the expected findings. */
const damages: Damage[] = [
  [
    'a chat without its project',
    ["delete from project_rows where name = 'a project'"],
    /chats without their row of projects/,
  ],
  [
    'a deletion without a job',
    ["update chat_rows set state = 'deleting'"],
    /projects, chats and applications in deletion without a job/,
  ],
  [
    'chunks without their document',
    ['delete from document_rows'],
    /chunk_rows without their row of document_rows/,
  ],
  [
    'texts without their document',
    ['delete from document_rows'],
    /document_text_parts without their row of document_rows/,
  ],
  [
    'documents without a text',
    ['delete from document_text_parts'],
    /documents without their row of document_text_parts/,
  ],
  ['documents without chunks', ['delete from chunk_rows'], /documents without their row of chunks/],
  [
    'documents whose upload was interrupted',
    [
      "update document_rows set state = 'writing', lease_until = 1 where filename = 'a.md'",
      "delete from document_segments where file_id in (select file_id from document_rows where state = 'writing')",
    ],
    /1 documents whose writing or deletion was interrupted/,
  ],
  [
    'relationships without their target',
    ["update relationships set target_id = 'gone' where type = 'EXPLAINS'"],
    /1 relationships without their source or target/,
  ],
  [
    'a generated relationship without its document',
    ["update relationships set file_id = 'gone' where type = 'EXPLAINS'"],
    /1 rows of relationships without their row of documents/,
  ],
  [
    'a generated relationship of another document',
    [
      `update relationships set file_id = (select max(file_id) from document_rows where file_id not in
        (select file_id from chunk_rows where chunk_id = relationships.source_id)) where type = 'EXPLAINS'`,
    ],
    /1 relationships made from a document whose source or target is outside/,
  ],
  [
    'a stored NEXT',
    ["update relationships set type = 'NEXT' where type = 'EXPLAINS'"],
    /1 stored relationships of a type that is derived from the chunks/,
  ],
  [
    'properties of a missing NEXT',
    [
      `insert into link_properties (chat_id, chunk_id, type, properties)
        select chat_id, chunk_id, 'NEXT', '{}' from chunks c
        where chunk_order = (select max(chunk_order) from chunks where file_id = c.file_id)`,
    ],
    /2 properties of a NEXT relationship without a next chunk/,
  ],
  ['a wrong count', ['update document_rows set chunk_count = chunk_count + 1'], /whose chunk_count is not/],
  ['a gap in the order', ['update chunk_rows set chunk_order = chunk_order + 100'], /not numbered from 0/],
  [
    'ranges that overlap',
    ['update chunk_rows set start_offset = 0'],
    /chunks that overlap or precede the previous chunk/,
  ],
  ['another text', ["update document_text_parts set text = 'x' || text"], /chunks whose text differs/],
  [
    'another chunk',
    ["update chunk_rows set text = text || '!' where chunk_order = 1"],
    /chunks whose text differs/,
  ],
  [
    'a segment with other chunks',
    ["update document_segments set chunk_ids = chunk_ids || ' gone'"],
    /segments of the index whose chunks differ/,
  ],
  [
    'documents without a segment',
    ['delete from document_segments'],
    /documents without their row of document_seg/,
  ],
  [
    'vectors that are cut off',
    [
      `insert into vector_spaces (chat_id, space_id, kind, model, dimensions, chunk_count, active, created_at)
        select chat_id, 'space', 'lsa', 'lsa', 2, 1, 1, 0 from chats`,
      `insert into document_vectors (chat_id, space_id, file_id, version, vectors)
        select chat_id, 'space', file_id, 0, segment from document_segments`,
    ],
    /2 documents with more or fewer vectors than chunks/,
  ],
  ['segments from the future', ['update document_segments set version = 1000'], /segments .* newer than/],
  ['traces without a body', ['delete from trace_bodies'], /traces without their row of trace_bodies/],
  ['bodies without facts', ['delete from traces'], /trace_bodies without their row of traces/],
  ['labels without a trace', ['delete from traces'], /trace_labels without their row of traces/],
  ['wrong rollups', ['update rollups set traces = traces + 1'], /rollups by day/],
  [
    'suites of no project',
    ["update test_suites set project_id = 'gone'"],
    /test_suites without their row of projects/,
  ],
  [
    'runs of no suite',
    ["update test_runs set suite_id = 'gone'"],
    /test_runs without their row of test_suites/,
  ],
  ['runs with wrong counts', ['update test_runs set passed = passed + 1'], /1 runs whose counts differ/],
  [
    'results of no run',
    ["update test_results set run_id = 'gone'"],
    /test_results without their row of test_runs/,
  ],
  ['events of no project', ["update events set project_id = 'gone'"], /events without their row of projects/],
]

/** Damages that affect different checks. All are made in one copy of the database, and all must be found. */
const separate: Damage[] = [
  ['settings of no chat', ["update chat_publications set chat_id = 'gone'"], /chat_publications without/],
  [
    'scopes of no chat',
    ["insert into scope_configurations (chat_id, definitions) values ('gone', '[]')"],
    /1 rows of scope_configurations without/,
  ],
  [
    'spans of no project',
    [
      `insert into otlp_spans (project_id, trace_id, item_id, spans)
        select 'gone', file_id, 'spn_x', segment from document_segments`,
    ],
    /rows of otlp_spans without their row of projects/,
  ],
  [
    'pending spans that do not exist',
    [
      "insert into otlp_pending (project_id, item_id, trace_id, span_count, span_bytes) values ('gone', 'spn_y', 'a', 1, 1)",
    ],
    /2 rows of otlp_pending without their row of otlp_spans/,
  ],
  [
    'pending spans without a job',
    [
      "insert into otlp_pending (project_id, item_id, trace_id, span_count, span_bytes) values ('gone', 'spn_z', 'a', 1, 1)",
    ],
    /2 received spans that are in no trace yet and have no job/,
  ],
  [
    'sizes of traces of no project',
    [
      "insert into otlp_traces (project_id, trace_id, span_count, span_bytes, has_root) values ('gone', 'a', 1, 1, 1)",
    ],
    /rows of otlp_traces without their row of projects/,
  ],
  [
    'keys of no chat',
    ["update api_keys set chat_id = 'gone' where chat_id is not null"],
    /api_keys without their row of chats/,
  ],
  [
    'a running batch of a scorer without a job',
    ["update scorings set state = 'running'"],
    /1 running batches of scorers without a job/,
  ],
  [
    'a failure of no batch',
    [
      `insert into scoring_failures (project_id, scoring_id, trace_id, reason, failed_at)
        select project_id, 'gone', 'gone', 'x', 0 from project_rows where name = 'a project'`,
    ],
    /rows of scoring_failures without/,
  ],
  [
    'a rule of no project',
    ["update scoring_rules set project_id = 'gone'"],
    /1 rows of scoring_rules without/,
  ],
  [
    'traces that wait for a rule without a job',
    [
      `insert into scoring_arrivals (project_id, rule_id, arrival_id, trace_ids)
        select project_id, 'rul_gone', 'arr_1', '[]' from project_rows where name = 'a project'`,
    ],
    /traces that wait for a scoring rule without a job/,
  ],
  [
    'properties of a relationship of no chunk',
    [
      `insert into link_properties (chat_id, chunk_id, type, properties) values ('gone', 'gone', 'NEXT', '{}')`,
    ],
    /1 rows of link_properties without their row of chunk_rows/,
  ],
  [
    'cases of no suite',
    ["update test_cases set suite_id = 'gone'"],
    /test_cases without their row of test_suites/,
  ],
]

describe.each(databases)('cairn doctor, on $database', ({ database, env }) => {
  let place: Place
  let tenant: Tenant

  beforeAll(async () => {
    place = await createPlace(await env())
    const server = await startServer({ dataDir: place.dataDir, env: place.env })
    tenant = await createTenant(server.url)
    await createIds(tenant)
    const form = uploadForm('a.md', `😀 ${sampleText(4)}`)
    await tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, form)
    const traces = Array.from({ length: 20 }, (_, n) => sampleTrace(n, 0))
    await tenant.project.ok('POST', `/v1/${tenant.projectId}/traces/batch`, { traces })
    await server.stop()
  })
  afterAll(() => place?.remove())

  it('finds no fault in an intact database, and reports its size', async () => {
    const { code, stdout } = await runCommand(place, ['doctor'])
    expect(stdout).toMatch(/^schema: all \d+ migrations$/m)
    expect(stdout).toMatch(/^holds: .* 2 documents, .* 23 traces$/m)
    expect(stdout).toMatch(/^\d\d checks, no fault$/m)
    expect(stdout).not.toContain('fault:')
    expect(code).toBe(0)
  })

  it('finds no fault while a server writes', async () => {
    const server = await startServer({ dataDir: place.dataDir, env: place.env })
    const { chat, chatId } = await createTenant(server.url)
    let going = true
    const writing = (async () => {
      for (let n = 0; going; n++) {
        const form = uploadForm(`f${n}.md`, sampleText(n))
        const path = `/v1/${chatId}/upload_with_scopes`
        const { file_id } = (await chat.call('POST', path, { body: form })).body
        await chat.call('DELETE', `/v1/${chatId}/files/${file_id}`)
      }
    })()
    const reports = [await runCommand(place, ['doctor']), await runCommand(place, ['doctor'])]
    going = false
    await writing
    await server.stop()
    expect(reports.map(({ stdout }) => stdout.match(/fault:.*/g))).toEqual([null, null])
  })

  it.each(damages)('finds %s', async (_, statements, fault) => {
    const copy = await damagedCopy(statements)
    const { code, stdout } = await runCommand(copy, ['doctor'])
    expect(stdout).toMatch(fault)
    expect(stdout).toMatch(/^\d\d checks, \d+ faults?$/m)
    expect(code).toBe(1)
    await copy.remove()
  })

  it('finds all of several independent damages', async () => {
    const copy = await damagedCopy(separate.flatMap(([, statements]) => statements))
    const { code, stdout } = await runCommand(copy, ['doctor'])
    for (const [name, , fault] of separate) expect(stdout, name).toMatch(fault)
    expect(stdout.match(/^fault:/gm)).toHaveLength(separate.length)
    expect(code).toBe(1)
    await copy.remove()
  })

  /** A copy of the database with a damage; on PostgreSQL the copy is made from a template. */
  async function damagedCopy(statements: string[]): Promise<Place> {
    const dataDir = await mkdtemp(join(tmpdir(), 'cairn-damaged-'))
    if (database === 'SQLite') await cp(place.dataDir, dataDir, { recursive: true })
    const copy = { ...place, dataDir, env: { ...place.env } }
    if (database === 'PostgreSQL')
      copy.env.DATABASE_URL = await createPostgresDatabase(place.env.DATABASE_URL)
    await tamper(copy, ...statements)
    return { ...copy, remove: () => rm(dataDir, { recursive: true, force: true }) }
  }

  it('reports a missing, empty, older or newer database, and creates none', async () => {
    const empty = await createPlace(
      database === 'SQLite' ? {} : { DATABASE_URL: await createPostgresDatabase() },
    )
    const none = await runCommand(empty, ['doctor'])
    expect(none).toMatchObject({ code: 1, stdout: expect.stringMatching(/does not exist|is empty/) })
    expect(await runCommand(empty, ['doctor'])).toEqual(none)
    const older = await damagedCopy(['delete from migrations where number = 1'])
    expect(await runCommand(older, ['doctor'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('1 migration missing'),
    })
    const newer = await damagedCopy(["insert into migrations values (9999, 'later', 0)"])
    expect(await runCommand(newer, ['doctor'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('newer version'),
    })
    for (const each of [empty, older, newer]) await each.remove()
  })

  it('rejects arguments', async () => {
    const { code, stderr } = await runCommand(place, ['doctor', '--fix'])
    expect(code).toBe(2)
    expect(stderr).toContain('usage: cairn doctor')
  })
})
