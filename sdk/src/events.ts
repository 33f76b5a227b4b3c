/** Lines of a byte stream. Network chunks may end anywhere, even within a character. */
async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const lines = (rest + decoder.decode(next.value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
    }
  } finally {
    // A reader that leaves early must also stop the work of the server. After the end, cancel does nothing.
    await reader.cancel().catch(() => undefined)
  }
}

/**
 * The `data` of each server-sent event in a body. Comments and other fields are skipped.
 * An incomplete event at the end of the stream is dropped, as the standard requires.
 */
export async function* readEventData(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = []
  for await (const line of readLines(stream)) {
    if (line === '' && data.length > 0) {
      yield data.join('\n')
      data = []
    } else if (line.startsWith('data:')) {
      data.push(line.slice(line[5] === ' ' ? 6 : 5))
    }
  }
}
