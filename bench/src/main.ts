import { benchAnalytics } from './analytics.ts'
import { benchDashboard } from './dashboard.ts'
import { benchDashboardGraph } from './dashboard-graph.ts'
import { benchDeleteProject } from './delete-project.ts'
import { benchExport } from './export.ts'
import { benchImport } from './import.ts'
import { benchIngest } from './ingest.ts'
import { benchIngestion } from './ingestion.ts'
import { benchIsolation } from './isolation.ts'
import { benchLists } from './lists.ts'
import { benchMemory } from './memory.ts'
import { benchOtlp } from './otlp.ts'
import { benchOtlpRandom } from './otlp-random.ts'
import { benchRelationships } from './relationships.ts'
import { benchRetrievalEmbeddings } from './retrieval-embeddings.ts'
import { benchRetrievalQuality } from './retrieval-quality.ts'
import { benchRetrievalSpeed } from './retrieval-speed.ts'
import { benchScorerPairs } from './scorer-pairs.ts'
import { benchScorers } from './scorers.ts'
import { benchScoring } from './scoring.ts'
import { benchSdk } from './sdk.ts'
import { benchSoak } from './soak.ts'
import { benchStart } from './start.ts'
import { type Row, report, show } from './support/results.ts'

const benches: Record<string, () => Row[] | Promise<Row[]>> = {
  start: benchStart,
  memory: benchMemory,
  ingest: benchIngest,
  ingestion: benchIngestion,
  import: benchImport,
  analytics: benchAnalytics,
  lists: benchLists,
  'delete-project': benchDeleteProject,
  export: benchExport,
  judges: benchScorers,
  judging: benchScoring,
  otlp: benchOtlp,
  sdk: benchSdk,
  relationships: benchRelationships,
  'retrieval-quality': benchRetrievalQuality,
  'retrieval-speed': benchRetrievalSpeed,
  dashboard: benchDashboard,
  'dashboard-graph': benchDashboardGraph,
}

/** Benchmarks with their own arguments, such as names of attacks; each runs by itself. */
const alone: Record<string, (words: readonly string[]) => Promise<Row[]>> = {
  isolation: benchIsolation,
  scorers: benchScorerPairs,
  'otlp-random': benchOtlpRandom,
  'retrieval-embeddings': benchRetrievalEmbeddings,
  soak: benchSoak,
}

const asked = process.argv.slice(2)
const [first = '', ...words] = asked
if (Object.hasOwn(alone, first)) {
  const rows = (await alone[first]?.(words)) ?? []
  // Only a complete run is stored.
  if (words.length === 0) report(first, rows)
  else show(first, rows)
  process.exit()
}
const unknown = asked.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0) {
  const known = [...Object.keys(benches), ...Object.keys(alone)].join(', ')
  console.error(`no such benchmark: ${unknown.join(', ')}; there are ${known}`)
  process.exit(2)
}
for (const [name, bench] of Object.entries(benches)) {
  if (asked.length === 0 || asked.includes(name)) report(name, await bench())
}
