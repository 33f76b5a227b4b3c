import { createTenant } from './server.ts'

/** A chat of the measured server, with its key. */
export interface Chat {
  upload(
    filename: string,
    content: string | Uint8Array<ArrayBuffer>,
  ): Promise<{ file_id: string; chunk_count: number }>
  search(query: string, limit: number): Promise<{ file_id: string }[]>
}

export async function createChat(url: string): Promise<Chat> {
  const { chatId, chatKey } = await createTenant(url)
  return openChat(url, chatId, chatKey)
}

export function openChat(url: string, chatId: string, chatKey: string): Chat {
  async function post<T>(path: string, body: FormData | string): Promise<T> {
    const headers = {
      authorization: `Bearer ${chatKey}`,
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    }
    const response = await fetch(`${url}/v1/${chatId}/${path}`, { method: 'POST', body, headers })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  return {
    upload(filename, content) {
      const form = new FormData()
      form.set('file', new Blob([content]), filename)
      return post('upload_with_scopes', form)
    },
    async search(query, limit) {
      const { results } = await post<{ results: { file_id: string }[] }>(
        'search',
        JSON.stringify({ query, limit }),
      )
      return results
    },
  }
}
