import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@cairn/sdk'
import { millText } from '../support/mill.ts'

const folder = fileURLToPath(new URL('../../bench/data/relationships', import.meta.url))

/** A labelled text as a Markdown document: its parts say where they stand by their headings. */
function documentOf(file: string): string {
  const [, ...parts] = readFileSync(`${folder}/${file}`, 'utf8').split(/^---\n/m)
  return parts
    .map((part) => part.replace(/^# (.*)$/m, (_, path: string) => `## ${path.split(' > ').at(-1)}`))
    .join('\n')
}

/** A chat with documents whose passages are related. */
export async function makeGraphChat(
  client: Client,
  baseUrl: string,
  projectId: string,
  title = 'Handbook',
): Promise<string> {
  const { chat_id: chatId } = await client.console.chats.create(projectId, { title, publish: true })
  const texts = readdirSync(folder).map((name) => [name.replace('.txt', '.md'), documentOf(name)] as const)
  const { api_key: apiKey } = await client.console.keys.createForChat(chatId)
  const { documents } = createClient({ baseUrl, apiKey })
  for (const [filename, text] of [['mill.md', millText] as const, ...texts]) {
    await documents.upload(chatId, { file: new Blob([text]), filename })
  }
  while ((await client.graph.status(chatId)).relating > 0) await pause(100)
  return chatId
}
