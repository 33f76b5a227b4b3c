import { createClient, type ScopeValues, type UploadedFile } from '@cairn/sdk'
import { serverAddress } from '../../shared/client.ts'
import { filesKey } from '../../shared/queries/chats.ts'
import { queryClient } from '../../shared/query-client.ts'
import { createSharedState, useSharedState } from '../../ui/shared-state.ts'
import { messageOf } from '../../ui/states/error-notice.tsx'
import { fetchWithProgress } from './xhr-fetch.ts'

/** The upload of a file to a chat. It continues on other screens. */
export interface Upload {
  id: number
  chatId: string
  file: File
  scopeValues: ScopeValues
  state: 'waiting' | 'sending' | 'processing' | 'done' | 'failed'
  /** Share of the sent bytes, 0 to 1. */
  sent: number
  result?: UploadedFile
  error?: string
}

/** Number of simultaneous uploads; further files wait. */
const mostAtOnce = 3

const uploads = createSharedState<readonly Upload[]>([])
const underWay = new Map<number, AbortController>()
let nextId = 1

function change(id: number, values: Partial<Upload>): void {
  uploads.set((list) => list.map((upload) => (upload.id === id ? { ...upload, ...values } : upload)))
}

export function isUnderWay({ state }: Upload): boolean {
  return state === 'waiting' || state === 'sending' || state === 'processing'
}

/** The uploads of a chat, in the order in which the files were chosen. */
export function useUploads(chatId: string): readonly Upload[] {
  return useSharedState(uploads).filter((upload) => upload.chatId === chatId)
}

export function addUploads(chatId: string, files: readonly File[], scopeValues: ScopeValues): void {
  const added = files.map((file): Upload => {
    return { id: nextId++, chatId, file, scopeValues, state: 'waiting', sent: 0 }
  })
  uploads.set((list) => [...list, ...added])
  startNext()
}

export function retryUpload(id: number): void {
  change(id, { state: 'waiting', sent: 0 })
  startNext()
}

/** Removes an upload from the list; a running upload is aborted. */
export function removeUpload(id: number): void {
  underWay.get(id)?.abort()
  uploads.set((list) => list.filter((upload) => upload.id !== id))
}

export function clearEnded(chatId: string): void {
  uploads.set((list) => list.filter((upload) => upload.chatId !== chatId || isUnderWay(upload)))
}

function startNext(): void {
  const waiting = uploads.get().filter(({ state }) => state === 'waiting')
  for (const upload of waiting.slice(0, mostAtOnce - underWay.size)) void send(upload)
}

async function send({ id, chatId, file, scopeValues }: Upload): Promise<void> {
  const stopping = new AbortController()
  underWay.set(id, stopping)
  change(id, { state: 'sending' })
  const onSent = (sent: number, total: number) =>
    change(id, { sent: sent / total, ...(sent === total && { state: 'processing' }) })
  const client = createClient({ baseUrl: serverAddress, session: true, fetch: fetchWithProgress(onSent) })
  try {
    const request = { file, ...(Object.keys(scopeValues).length > 0 && { scopeValues }) }
    const result = await client.documents.upload(chatId, request, { signal: stopping.signal })
    change(id, { state: 'done', result })
  } catch (error) {
    change(id, { state: 'failed', error: messageOf(error) })
  } finally {
    underWay.delete(id)
    void queryClient.invalidateQueries({ queryKey: filesKey(chatId) })
    void queryClient.invalidateQueries({ queryKey: ['chats'] })
    startNext()
  }
}

/** Leaving the page would abort running uploads, so the browser asks first. */
window.addEventListener('beforeunload', (event) => {
  if (uploads.get().some(isUnderWay)) event.preventDefault()
})
