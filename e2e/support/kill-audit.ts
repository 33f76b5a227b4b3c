import { isDeepStrictEqual } from 'node:util'
import { Api, type Tenant } from './api.ts'
import { documentsOf, type GraphDocument, graphFaults } from './graph.ts'
import { batchSize, type Pdf, type Promises } from './kill-clients.ts'
import { missingSections, sampleTrace } from './samples.ts'

type StoredTrace = { trace_id: string; custom_attributes: { number: number; batch: number | null } }

function differsFromSample(trace: StoredTrace): boolean {
  const { number, batch } = trace.custom_attributes
  const sent = Object.entries(sampleTrace(number, batch))
  return sent.some(([key, value]) => !isDeepStrictEqual(trace[key as keyof StoredTrace], value))
}

async function readTraces(tenant: Tenant): Promise<StoredTrace[]> {
  const { projectId, project } = tenant
  const { text } = await project.ok('GET', `/v1/${projectId}/analytics/export?format=jsonl`)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as StoredTrace)
}

/** Checks that every acknowledged trace exists, other traces are complete, and batches have all items or none. */
async function traceFaults(tenant: Tenant, promises: Promises): Promise<string[]> {
  const stored = await readTraces(tenant)
  const byId = new Map(stored.map((trace) => [trace.trace_id, trace]))
  const lost = [...promises.traces].filter(
    ([id, number]) => byId.get(id)?.custom_attributes.number !== number,
  )
  const batches = Map.groupBy(stored, ({ custom_attributes }) => custom_attributes.batch)
  batches.delete(null)
  const torn = [...batches].filter(([, traces]) => traces.length !== batchSize)
  return [
    ...lost.map(([id]) => `the acknowledged trace ${id} is gone`),
    ...stored.filter(differsFromSample).map(({ trace_id }) => `the trace ${trace_id} is not as sent`),
    ...torn.map(([batch, traces]) => `the batch ${batch} is there with ${traces.length} traces`),
    ...(await newestFaults(tenant, promises)),
  ]
}

/** Reads the last acknowledged traces one by one, because these are most likely to be lost. */
async function newestFaults({ project, projectId }: Tenant, promises: Promises): Promise<string[]> {
  const newest = [...promises.traces.keys()].slice(-10)
  const answers = await Promise.all(
    newest.map((id) => project.get(`/v1/${projectId}/analytics/traces/${id}`)),
  )
  return answers
    .filter(({ status, body }) => status !== 200 || differsFromSample(body))
    .map(({ status }) => `an acknowledged trace answers ${status}, or is not as sent`)
}

function isWhole({ filename, chunks }: GraphDocument, pdf: Pdf | undefined): boolean {
  const [, kind, number] = /^(notes|report)-(\d+)\./.exec(filename) ?? []
  if (kind === 'report') return chunks.length === pdf?.chunkCount
  return kind === 'notes' && missingSections(Number(number), chunks).length === 0
}

/** Checks that every acknowledged document exists, and that all documents have all their chunks. */
async function documentFaults(tenant: Tenant, promises: Promises, pdf: Pdf | undefined): Promise<string[]> {
  const admin = Api.admin(tenant.project.url)
  const { body: graph } = await admin.ok('GET', `/graph_data/${tenant.chatId}`)
  const documents = documentsOf(graph)
  const lost = [...promises.documents].filter(([id, { filename, chunkCount }]) => {
    const document = documents.get(id)
    return document?.filename !== filename || document.chunks.length !== chunkCount
  })
  const torn = [...documents.values()].filter((document) => !isWhole(document, pdf))
  return [
    ...graphFaults(graph),
    ...lost.map(([id]) => `the acknowledged document ${id} is gone, or lacks chunks`),
    ...torn.map(({ filename }) => `${filename} is half there`),
  ]
}

/** All acknowledged data that a server has lost after a kill and a restart. */
export async function killFaults(
  url: string,
  tenant: Tenant,
  promises: Promises,
  pdf: Pdf | undefined,
): Promise<string[]> {
  const moved: Tenant = {
    ...tenant,
    project: new Api(url, tenant.project.credential),
    chat: new Api(url, tenant.chat.credential),
  }
  return [...(await traceFaults(moved, promises)), ...(await documentFaults(moved, promises, pdf))]
}
