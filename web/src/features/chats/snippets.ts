import type { Snippet } from '../../ui/snippets.tsx'

/** The request that the snippets send; `body` has no undefined values. */
interface SnippetRequest {
  address: string
  path: string
  body: Record<string, unknown>
}

const isStream = ({ path }: SnippetRequest) => path.endsWith('_stream')

/** Code that sends a request; the reader replaces YOUR_API_KEY. */
export function requestSnippets(request: SnippetRequest): Snippet[] {
  return [
    { language: 'curl', code: curl(request) },
    { language: 'TypeScript', code: typescript(request) },
    { language: 'Python', code: python(request) },
  ]
}

function curl(request: SnippetRequest): string {
  const { address, path, body } = request
  // Inside single quotes a shell interprets nothing; a single quote itself must be escaped.
  const json = JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)
  return `curl -sS${isStream(request) ? 'N' : ''} '${address}${path}' \\
  -H 'Authorization: Bearer YOUR_API_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '${json}'
`
}

function typescript(request: SnippetRequest): string {
  const { address, path, body } = request
  const call = `const response = await fetch('${address}${path}', {
  method: 'POST',
  headers: { Authorization: 'Bearer YOUR_API_KEY', 'Content-Type': 'application/json' },
  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), 2)}),
})
if (!response.ok) throw new Error(await response.text())
`
  if (!isStream(request)) {
    return `${call}const { answer, citations } = await response.json()
console.log(answer, citations)
`
  }
  return `${call}
let rest = ''
for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + text).split('\\n')
  rest = lines.pop() ?? ''
  for (const line of lines) {
    if (!line.startsWith('data:')) continue
    const event = JSON.parse(line.slice(5))
    if (event.type === 'content') process.stdout.write(event.data)
    else console.log(event)
  }
}
`
}

/** The raw string is safe: JSON never contains three unescaped quotes in a row. */
function python(request: SnippetRequest): string {
  const { address, path, body } = request
  const head = `import json
from urllib.request import Request, urlopen

body = json.loads(r"""${JSON.stringify(body, null, 2)}""")
request = Request(
    "${address}${path}",
    data=json.dumps(body).encode(),
    headers={"Authorization": "Bearer YOUR_API_KEY", "Content-Type": "application/json"},
)
`
  if (!isStream(request)) {
    return `${head}with urlopen(request) as response:
    result = json.load(response)
print(result["answer"], result["citations"])
`
  }
  return `${head}with urlopen(request) as response:
    for line in response:
        if not line.startswith(b"data:"):
            continue
        event = json.loads(line[5:])
        if event["type"] == "content":
            print(event["data"], end="", flush=True)
        else:
            print(event)
`
}

function indented(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`)
}
