import type { Snippet } from '../../ui/snippets.tsx'

/** Code for the first upload and question of a user, with the address and the application id filled in. */
export function snippetsOf(address: string, appId: string): Snippet[] {
  return [
    {
      language: 'TypeScript',
      code: `import { createUserClient } from '@cairn/sdk'

const me = createUserClient({
  baseUrl: '${address}',
  appId: '${appId}',
  // The ID token of your identity provider. It is read for each call, since tokens expire.
  idToken: () => session.idToken,
})

await me.files.upload({ file })
const { answer, citations } = await me.ask({
  messages: [{ role: 'user', content: 'What do my notes say?' }],
})
`,
    },
    {
      language: 'curl',
      code: `curl -sS "${address}/v1/me/chats/files/upload" \\
  -H "Authorization: Bearer $ID_TOKEN" -H "X-App-ID: ${appId}" \\
  -F file=@notes.pdf

curl -sS "${address}/v1/me/chats/query" \\
  -H "Authorization: Bearer $ID_TOKEN" -H "X-App-ID: ${appId}" \\
  --data-urlencode 'messages=[{"role": "user", "content": "What do my notes say?"}]'
`,
    },
    {
      language: 'Python',
      code: `import json, requests

base = "${address}/v1/me"
headers = {"Authorization": f"Bearer {id_token}", "X-App-ID": "${appId}"}

with open("notes.pdf", "rb") as file:
    requests.post(f"{base}/chats/files/upload", headers=headers, files={"file": file}).raise_for_status()

messages = [{"role": "user", "content": "What do my notes say?"}]
response = requests.post(f"{base}/chats/query", headers=headers, data={"messages": json.dumps(messages)})
response.raise_for_status()
print(response.json()["answer"])
`,
    },
  ]
}
