import { benchAnalytics } from './analytics.ts'
import { benchExport } from './export.ts'
import { benchImport } from './import.ts'
import { benchIngest } from './ingest.ts'
import { benchLists } from './lists.ts'
import { benchMemory } from './memory.ts'
import { measureRetrievalQuality } from './retrieval-quality.ts'
import { benchStart } from './start.ts'
import { type Row, report, round } from './support/results.ts'

function benchRetrievalQuality(): Row[] {
  return measureRetrievalQuality().results.flatMap(({ set, ndcg10, recall10, queryP50Ms }) => [
    { what: `${set}, nDCG@10`, value: round(ndcg10, 4), unit: '' },
    { what: `${set}, recall@10`, value: round(recall10, 4), unit: '' },
    { what: `${set}, p50 of a query`, value: round(queryP50Ms, 2), unit: 'ms' },
  ])
}

const benches: Record<string, () => Row[] | Promise<Row[]>> = {
  start: benchStart,
  memory: benchMemory,
  ingest: benchIngest,
  import: benchImport,
  analytics: benchAnalytics,
  lists: benchLists,
  export: benchExport,
  'retrieval-quality': benchRetrievalQuality,
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}
for (const [name, bench] of Object.entries(benches)) {
  if (asked.length === 0 || asked.includes(name)) report(name, await bench())
}
