import fares from '../../../../docs/guides/sample/fares.csv?raw'
import handbook from '../../../../docs/guides/sample/handbook.md?raw'
import visitors from '../../../../docs/guides/sample/visitors.md?raw'
import { client } from '../../shared/client.ts'

/** Documents written for this sample, about a fictional ferry. */
const documents = { 'handbook.md': handbook, 'visitors.md': visitors, 'fares.csv': fares }

/** A question that the sample documents answer. */
export const sampleQuestion = 'How many days of paid leave do new staff get?'

export type SampleStep = 'chat' | 'documents'

export const sampleSteps: readonly { name: SampleStep; title: string }[] = [
  { name: 'chat', title: 'Create a chat and publish it' },
  { name: 'documents', title: `Upload ${Object.keys(documents).length} sample documents` },
]

/**
 * Creates a chat with the sample documents and calls `onDone` after each step. Returns the id of the chat. If an upload fails,
 * the chat remains.
 */
export async function makeSampleChat(projectId: string, onDone: (step: SampleStep) => void): Promise<string> {
  const chat = { title: 'Sorrel Island ferry (sample)', publish: true }
  const { chat_id: chatId } = await client.console.chats.create(projectId, chat)
  onDone('chat')
  for (const [filename, text] of Object.entries(documents)) {
    await client.documents.upload(chatId, { file: new Blob([text]), filename })
  }
  onDone('documents')
  return chatId
}

/** An example of a trace from an application. */
export const sampleTrace = {
  input: 'Summarise the release notes.',
  output: 'Two bugs fixed, one option added.',
  model: 'gpt-4o-mini',
  latency_ms: 812.5,
  token_usage: { prompt_tokens: 420, completion_tokens: 11, total_tokens: 431 },
  session_id: 'first-session',
  tags: ['sample'],
}
