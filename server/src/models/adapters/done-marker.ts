import { boundedFetch, isEventStream } from './bounded-fetch.ts'

const done = /^data:\s*\[DONE\]\s*$/
const reason = /"finish_reason"\s*:\s*"/
const finished = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'

/** Inserts a chunk with a finish reason before `[DONE]` if the stream of chat completions has none. */
function withReason(): TransformStream<string, string> {
  let rest = ''
  let hasReason = false
  return new TransformStream({
    transform(text, controller) {
      const lines = (rest + text).split(/(?<=\n)/)
      rest = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '')
      for (const line of lines) {
        hasReason ||= reason.test(line)
        controller.enqueue(done.test(line) && !hasReason ? finished + line : line)
      }
    },
    flush(controller) {
      controller.enqueue(done.test(rest) && !hasReason ? finished + rest : rest)
    },
  })
}

/**
 * A fetch for servers that do not follow OpenAI's API strictly: some end a stream with `[DONE]` but send no finish
 * reason. Without it, a complete answer looks like an answer that was cut off.
 */
export const fetchWithReason: typeof fetch = async (input, init) => {
  const response = await boundedFetch(input, init)
  if (!response.ok || !isEventStream(response) || !response.body) return response
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(withReason())
    .pipeThrough(new TextEncoderStream())
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}
