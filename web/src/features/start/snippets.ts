import { serverAddress } from '../../shared/client.ts'
import type { Snippet } from '../../ui/snippets.tsx'
import { sampleTrace } from './sample.ts'

/** Code that records a first trace; without a key, it reads the variable CAIRN_API_KEY. */
export function firstTraceSnippets(projectId: string, key: string | undefined): Snippet[] {
  const json = JSON.stringify(sampleTrace, null, 2)
  const inShell = key ?? '$CAIRN_API_KEY'
  return [
    {
      language: 'curl',
      code: `curl -sS "${serverAddress}/v1/${projectId}/traces" \\
  -H "Authorization: Bearer ${inShell}" -H "Content-Type: application/json" \\
  -d '${json}'
`,
    },
    {
      language: 'TypeScript',
      code: `import { createClient } from '@cairn/sdk'

const cairn = createClient({
  baseUrl: '${serverAddress}',
  apiKey: ${key === undefined ? 'process.env.CAIRN_API_KEY' : `'${key}'`},
  projectId: '${projectId}',
})
await cairn.project().traces.create(${json})
`,
    },
    {
      language: 'OpenTelemetry',
      code: `export OTEL_EXPORTER_OTLP_ENDPOINT=${serverAddress}
export OTEL_EXPORTER_OTLP_HEADERS="x-api-key=${inShell}"
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
`,
    },
  ]
}
