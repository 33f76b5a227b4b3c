/**
 * @typedef {{ file_id: string, filename: string, size_bytes: number }} StoredFile
 * @typedef {{ source: string, snippet: string }} Citation
 * @typedef {{ role: 'user' | 'assistant', content: string }} Message
 * @typedef {{ type: 'context', data: Citation[] } | { type: 'content' | 'error', data: string } | { type: 'end' }} AnswerEvent
 * @typedef {ReturnType<typeof createCairn>} Cairn
 */

/** An error response of the server. */
export class CairnError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/**
 * The calls of one user. The token is sent to Cairn in a header of each call, and nowhere else.
 *
 * @param {{ url: string, appId: string, idToken: string, signal: AbortSignal }} options The signal ends all calls.
 */
export function createCairn({ url, appId, idToken, signal }) {
  /**
   * @param {string} method
   * @param {string} path
   * @param {FormData} [body]
   * @param {AbortSignal} [stop]
   */
  async function call(method, path, body, stop = signal) {
    const response = await fetch(`${url.replace(/\/$/, '')}/v1/me${path}`, {
      method,
      headers: { authorization: `Bearer ${idToken}`, 'x-app-id': appId },
      body: body ?? null,
      signal: AbortSignal.any([signal, stop]),
    }).catch((error) => {
      throw error instanceof TypeError ? new Error(`${url} could not be reached.`) : error
    })
    if (response.ok) return response
    const { detail } = await response.json().catch(() => ({}))
    throw new CairnError(response.status, detail ?? `The server answered with status ${response.status}.`)
  }

  return {
    /** @returns {Promise<StoredFile[]>} */
    async files() {
      const response = await call('GET', '/chats/files')
      return (await response.json()).files
    },

    /** @param {File} file */
    async upload(file) {
      const form = new FormData()
      form.set('file', file)
      await call('POST', '/chats/files/upload', form)
    },

    /** @param {string} fileId */
    async delete(fileId) {
      await call('DELETE', `/chats/files/${encodeURIComponent(fileId)}`)
    },

    /**
     * The answer as a stream: its citations, its text in parts, and its end.
     *
     * @param {Message[]} messages The last one is the question, those before it are the conversation.
     * @param {AbortSignal} stop
     * @returns {AsyncGenerator<AnswerEvent>}
     */
    async *ask(messages, stop) {
      const form = new FormData()
      form.set('messages', JSON.stringify(messages))
      form.set('stream', 'true')
      const { body } = await call('POST', '/chats/query', form, stop)
      if (body) yield* events(body)
    },
  }
}

/**
 * The server-sent events of an answer. A chunk of the stream may end in the middle of an event.
 *
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<AnswerEvent>}
 */
async function* events(body) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6))
    }
  } finally {
    // Leaving the stream early also stops the answer on the server.
    await reader.cancel().catch(() => undefined)
  }
}
