import type { CreateTrace, Trace } from '@cairn/sdk'
import type { Snippet } from '../../ui/snippets.tsx'

/** The purpose of the code: read the trace, or record it again. */
export type CodeTask = 'read' | 'record'

/** Fields of a trace that a client sends; the server makes the others. */
const sentFields = [
  ...['name', 'input', 'output', 'model', 'latency_ms', 'status', 'error', 'tags', 'token_usage', 'version'],
  ...['session_id', 'user_id', 'environment', 'metadata', 'custom_attributes', 'tool_calls', 'spans'],
  'created_at',
] as const satisfies readonly (keyof Trace & keyof CreateTrace)[]

/** The body that records an equal trace. A cost is sent only if the client sent it, so that prices apply. */
function bodyOf(trace: Trace): Record<string, unknown> {
  const isSent = (value: unknown) =>
    value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)
  const sent = sentFields.map((name) => [name, trace[name]] as const)
  const cost = trace.cost_source === 'client' ? [['cost', trace.cost] as const] : []
  return Object.fromEntries([...sent, ...cost].filter(([, value]) => isSent(value)))
}

/** Code that reads a trace, or records it again; the reader replaces YOUR_API_KEY. */
export function traceSnippets(
  { address, projectId, trace }: { address: string; projectId: string; trace: Trace },
  task: CodeTask,
): Snippet[] {
  const [project, id] = [inAddress(projectId), inAddress(trace.trace_id)]
  const url = `${address}/v1/${project}/${task === 'read' ? `analytics/traces/${id}` : 'traces'}`
  const body = task === 'record' ? JSON.stringify(bodyOf(trace), null, 2) : undefined
  return [
    { language: 'curl', code: curl(url, body) },
    { language: 'TypeScript', code: typescript(address, projectId, trace.trace_id, body) },
    { language: 'Python', code: python(url, body) },
  ]
}

/** Also a single quote is escaped, since the command has the address in such quotes. */
function inAddress(id: string): string {
  return encodeURIComponent(id).replaceAll("'", '%27')
}

/** The body is a here-document, in which a shell interprets nothing. No line of JSON equals its end. */
function curl(url: string, body: string | undefined): string {
  const head = `curl -sS '${url}' \\\n  -H 'Authorization: Bearer YOUR_API_KEY'`
  if (body === undefined) return `${head}\n`
  return `${head} \\\n  -H 'Content-Type: application/json' \\\n  --data-binary @- <<'JSON'\n${body}\nJSON\n`
}

function typescript(address: string, projectId: string, traceId: string, body: string | undefined): string {
  const call =
    body === undefined
      ? `const trace = await cairn.project().traces.get(${JSON.stringify(traceId)})\nconsole.log(trace)\n`
      : `const { trace_id } = await cairn.project().traces.create(${body})\nconsole.log(trace_id)\n`
  return `import { createClient } from '@cairn/sdk'

const cairn = createClient({
  baseUrl: ${JSON.stringify(address)},
  apiKey: 'YOUR_API_KEY',
  projectId: ${JSON.stringify(projectId)},
})

${call}`
}

function python(url: string, body: string | undefined): string {
  const request =
    body === undefined
      ? `request = Request(url, headers={"Authorization": "Bearer YOUR_API_KEY"})`
      : `body = ${JSON.stringify(ascii(body))}
request = Request(
    url,
    data=body.encode(),
    headers={"Authorization": "Bearer YOUR_API_KEY", "Content-Type": "application/json"},
)`
  return `import json
from urllib.request import Request, urlopen

url = ${JSON.stringify(url)}
${request}
with urlopen(request) as response:
    print(json.load(response))
`
}

/** JSON with only ASCII characters. In quotes, it then means the same in Python. */
function ascii(json: string): string {
  return json.replace(/[^ -~\n]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
