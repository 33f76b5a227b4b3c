import type { Snippet } from '../../ui/snippets.tsx'

/** A question to a chat, which has no undefined values. */
interface SnippetRequest {
  address: string
  chatId: string
  question: Record<string, unknown>
  /** `stream` gets the answer as events; `draft` too, from the draft settings. */
  mode: 'whole' | 'stream' | 'draft'
}

const isStream = ({ mode }: SnippetRequest) => mode !== 'whole'

function pathOf({ chatId, mode }: SnippetRequest): string {
  if (mode === 'draft') return '/answer_question_stream'
  return `/v1/${chatId}/answer_question${mode === 'stream' ? '_stream' : ''}`
}

function jsonOf({ chatId, mode, question }: SnippetRequest): string {
  return JSON.stringify(mode === 'draft' ? { chat_id: chatId, ...question } : question, null, 2)
}

/** Code that sends a request; the reader replaces YOUR_API_KEY. */
export function requestSnippets(request: SnippetRequest): Snippet[] {
  return [
    { language: 'curl', code: curl(request) },
    { language: 'TypeScript', code: typescript(request) },
    { language: 'Python', code: python(request) },
  ]
}

function curl(request: SnippetRequest): string {
  // Inside single quotes a shell interprets nothing; a single quote itself must be escaped.
  const json = jsonOf(request).replaceAll("'", `'\\''`)
  return `curl -sS${isStream(request) ? 'N' : ''} '${request.address}${pathOf(request)}' \\
  -H 'Authorization: Bearer YOUR_API_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '${json}'
`
}

function typescript(request: SnippetRequest): string {
  const { address, chatId, mode } = request
  const chat = mode === 'draft' ? '' : `'${chatId}', `
  const start = `import { createClient } from '@cairn/sdk'

const cairn = createClient({ baseUrl: '${address}', apiKey: 'YOUR_API_KEY' })
const question = ${jsonOf(request)}
`
  if (!isStream(request)) {
    return `${start}const { answer, citations } = await cairn.answers.ask(${chat}question)
console.log(answer, citations)
`
  }
  const calls = mode === 'draft' ? 'internal' : 'answers'
  return `${start}for await (const event of cairn.${calls}.stream(${chat}question)) {
  if (event.type === 'content') process.stdout.write(event.data)
  else console.log(event)
}
`
}

/** The raw string is safe: JSON never contains three unescaped quotes in a row. */
function python(request: SnippetRequest): string {
  const head = `import json
from urllib.request import Request, urlopen

body = json.loads(r"""${jsonOf(request)}""")
request = Request(
    "${request.address}${pathOf(request)}",
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
