import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { lines, prepareImport, runImport } from './support/import-project.ts'
import { runLoad } from './support/load.ts'
import { type Row, round } from './support/results.ts'
import {
  adminToken,
  buildServer,
  createTenant,
  productionServer,
  startServer,
  temporaryFolder,
} from './support/server.ts'
import { traceBodies } from './support/traces.ts'

const loadSeconds = 15

function rowsLeft(dataDir: string, projectId: string): { project: number; traces: number } {
  const database = new DatabaseSync(join(dataDir, 'cairn.db'), { readOnly: true })
  const count = (table: string) =>
    Number(
      database.prepare(`select count(*) as count from ${table} where project_id = ?`).get(projectId)?.count,
    )
  const left = { project: count('project_rows'), traces: count('traces') }
  database.close()
  return left
}

/** Deletes a project of a million traces while another one writes, and kills the server on the way. */
export async function benchDeleteProject(): Promise<Row[]> {
  buildServer()
  const folder = temporaryFolder()
  const prepared = await prepareImport(folder.path)
  await runImport(prepared)
  const { dataDir, projectId } = prepared
  let server = await startServer({ command: productionServer, dataDir })
  const other = await createTenant(server.url)
  const load = () =>
    runLoad({
      url: server.url,
      path: `/v1/${other.projectId}/traces`,
      key: other.projectKey,
      bodies: traceBodies(100),
      connections: 4,
      seconds: loadSeconds,
      rate: 50,
    })
  const before = await load()
  const headers = { 'x-admin-token': adminToken }
  const address = `${server.url}/v1/console/projects/${projectId}`
  const from = performance.now()
  const answer = await fetch(address, { method: 'DELETE', headers })
  const answeredMs = performance.now() - from
  if (!answer.ok) throw new Error(`the deletion was refused: ${answer.status}`)
  const after = await fetch(address, { headers })
  if (after.status !== 404) throw new Error(`the project is still there: ${after.status}`)
  const during = await load()
  const atKill = rowsLeft(dataDir, projectId)
  process.kill(server.pid, 'SIGKILL')
  await pause(200)
  server = await startServer({ command: productionServer, dataDir })
  while (rowsLeft(dataDir, projectId).project > 0) await pause(500)
  const seconds = (performance.now() - from) / 1000
  const left = rowsLeft(dataDir, projectId)
  await server.stop()
  folder.remove()
  return [
    { what: 'traces of the project', value: lines, unit: '' },
    { what: 'answer to the deletion', value: round(answeredMs, 1), unit: 'ms', bar: { max: 100 } },
    { what: "another project's POST before, p99", value: round(before.p99Ms, 1), unit: 'ms' },
    { what: "another project's POST before, longest", value: round(before.maxMs, 1), unit: 'ms' },
    { what: "another project's POST meanwhile, p99", value: round(during.p99Ms, 1), unit: 'ms' },
    {
      what: "another project's POST meanwhile, longest",
      value: round(during.maxMs, 1),
      unit: 'ms',
      bar: { max: 100 },
    },
    { what: 'traces left when the server was killed', value: atKill.traces, unit: '', bar: { min: 1 } },
    { what: 'traces left in the end', value: left.traces, unit: '', bar: { max: 0 } },
    { what: 'until all was deleted, with a restart', value: round(seconds, 1), unit: 's' },
  ]
}
