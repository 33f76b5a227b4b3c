import type { Snippet } from '../../ui/snippets.tsx'

/** Code in three languages that sends one trace with a key. */
export function keySnippets(address: string, projectId: string, key: string): Snippet[] {
  return [
    {
      language: 'curl',
      code: `curl -sS ${address}/v1/${projectId}/traces \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"input": "Where is my parcel?", "output": "It comes tomorrow.", "model": "gpt-4o-mini"}'
`,
    },
    {
      language: 'TypeScript',
      code: `import { createClient } from '@cairn/sdk'

const cairn = createClient({ baseUrl: '${address}', apiKey: '${key}', projectId: '${projectId}' })
await cairn.project().traces.create({
  input: 'Where is my parcel?',
  output: 'It comes tomorrow.',
  model: 'gpt-4o-mini',
})
`,
    },
    {
      language: 'Python',
      code: `import json, urllib.request

trace = {"input": "Where is my parcel?", "output": "It comes tomorrow.", "model": "gpt-4o-mini"}
request = urllib.request.Request(
    "${address}/v1/${projectId}/traces",
    json.dumps(trace).encode(),
    {"Authorization": "Bearer ${key}", "Content-Type": "application/json"},
)
print(urllib.request.urlopen(request).read().decode())
`,
    },
  ]
}
