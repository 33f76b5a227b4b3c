/** One trace sent with a key, in three ways. */
export function keySnippets(address: string, projectId: string, key: string) {
  return {
    curl: `curl -sS ${address}/v1/${projectId}/traces \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"input": "Where is my parcel?", "output": "It comes tomorrow.", "model": "gpt-4o-mini"}'
`,
    typescript: `import { createClient } from '@cairn/sdk'

const cairn = createClient({ baseUrl: '${address}', apiKey: '${key}' })
await cairn.traces.create('${projectId}', {
  input: 'Where is my parcel?',
  output: 'It comes tomorrow.',
  model: 'gpt-4o-mini',
})
`,
    python: `import json, urllib.request

trace = {"input": "Where is my parcel?", "output": "It comes tomorrow.", "model": "gpt-4o-mini"}
request = urllib.request.Request(
    "${address}/v1/${projectId}/traces",
    json.dumps(trace).encode(),
    {"Authorization": "Bearer ${key}", "Content-Type": "application/json"},
)
print(urllib.request.urlopen(request).read().decode())
`,
  }
}

export const snippetNames = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const
export type SnippetName = keyof typeof snippetNames
