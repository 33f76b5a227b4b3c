import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Client } from '@cairn/sdk'
import { millText } from '../support/mill.ts'

const guides = fileURLToPath(new URL('../../docs/guides', import.meta.url))
const names = ['relationships', 'applications', 'operate', 'models', 'score-with-judges', 'test-suites']

/** A chat with documents whose passages are related; empty when no files are asked for. */
export async function makeGraphChat(
  client: Client,
  projectId: string,
  { title = 'Handbook', files = names } = {},
): Promise<string> {
  const { chat_id: chatId } = await client.console.chats.create(projectId, { title, publish: true })
  const texts = files.map((name) => [`${name}.md`, readFileSync(`${guides}/${name}.md`, 'utf8')] as const)
  for (const [filename, pdf_text] of [['mill.md', millText] as const, ...texts]) {
    const pdf_id = `${chatId}-${filename}`
    await client.internal.createDocument({ chat_id: chatId, pdf_id, filename, pdf_text })
  }
  while ((await client.graph.status(chatId)).relating > 0) await pause(100)
  return chatId
}
