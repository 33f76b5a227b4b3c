import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@cairn/sdk'
import { hasSharedData, sharedDocument } from '../support/shared-data.ts'

export const handbookPath = fileURLToPath(new URL('../../docs/guides/sample/handbook.md', import.meta.url))
const reports = ['20071229X02007.pdf', '20080102X00002.pdf', '20080104X00020.pdf']

const office = `# Ticket office

The office opens at 5:40 and closes after the last crossing.

## Refunds

A ticket is refunded until the day before the crossing. After that only when the ferry does not leave.
`
const timetable = 'season,first,last\nsummer,6:10,21:40\nwinter,7:10,18:40\n'

/** What the screens of chats are shown with. */
export interface ChatSample {
  /** Of the staff handbook: published, and its draft differs. */
  chatId: string
  /** Without a file. */
  emptyChatId: string
}

export function asFile(name: string, content: string | Uint8Array<ArrayBuffer>): File {
  return new File([content], name)
}

/** A client with a key of its own to the chat. */
export async function chatClient(client: Client, baseUrl: string, chatId: string): Promise<Client> {
  const { api_key: apiKey } = await client.console.keys.createForChat(chatId, { name: 'intranet' })
  return createClient({ baseUrl, apiKey })
}

/** Reports of accidents, as PDF files, where there are any on this machine. */
async function uploadReports(client: Client, chatId: string): Promise<void> {
  if (!hasSharedData('PDF files of the sample')) return
  for (const name of reports) {
    const file = asFile(name, new Uint8Array(readFileSync(sharedDocument(name))))
    await client.documents.upload(chatId, { file, scopeValues: { team: 'safety' } })
  }
}

/** Chats in all their states, with files, scopes, keys and a history of settings. */
export async function makeChatSample(
  client: Client,
  baseUrl: string,
  projectId: string,
): Promise<ChatSample> {
  const { chats, keys } = client.console
  const { chat_id: chatId } = await chats.create(projectId, { title: 'Staff handbook', publish: true })
  const byKey = await chatClient(client, baseUrl, chatId)
  await byKey.scopes.configure(chatId, {
    scopes: [
      { name: 'team', required: true, description: 'Who a file is for' },
      { name: 'year', type: 'number' },
    ],
  })
  const upload = (name: string, text: string, team: string) =>
    byKey.documents.upload(chatId, { file: asFile(name, text), scopeValues: { team, year: 2025 } })
  await upload('timetable.csv', timetable, 'office')
  await upload('ticket-office.md', office, 'office')
  await uploadReports(byKey, chatId)
  await upload('handbook.md', readFileSync(handbookPath, 'utf8'), 'crew')
  await keys.createForChat(chatId, { name: 'graph tools', permissions: ['admin', 'read'] })
  const prompt = 'Answer in one or two sentences. Name the paragraph of the handbook.'
  await chats.update(chatId, { settings: { custom_prompt: prompt, temperature: 0.2 } })
  await chats.publish(chatId)
  const changed = prompt.replace('one or two', 'at most three')
  await chats.update(chatId, { settings: { custom_prompt: changed, max_tokens: 600 } })
  await chats.create(projectId, { title: 'Release notes' })
  const { chat_id: emptyChatId } = await chats.create(projectId, { title: 'Price list', publish: true })
  return { chatId, emptyChatId }
}
