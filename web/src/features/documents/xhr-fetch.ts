/** A `fetch` that reports upload progress, which the native one does not. It buffers responses, so they must be small. */
export function fetchWithProgress(onSent: (sent: number, total: number) => void): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { method = 'GET', headers, body, signal } = init
      const request = new XMLHttpRequest()
      const stop = () => request.abort()
      request.open(method, String(input))
      request.responseType = 'text'
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => onSent(loaded, total)
      request.onload = () => resolve(toResponse(request))
      request.onerror = () => reject(new TypeError('the server could not be reached'))
      request.onabort = () => reject(signal?.reason ?? new DOMException('stopped', 'AbortError'))
      request.onloadend = () => signal?.removeEventListener('abort', stop)
      if (signal?.aborted) return reject(signal.reason)
      signal?.addEventListener('abort', stop)
      request.send(body as XMLHttpRequestBodyInit)
    })
}

function toResponse(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const at = line.indexOf(':')
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim())
  }
  return new Response(request.responseText, { status: request.status, headers })
}
