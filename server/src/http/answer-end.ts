import type { FastifyReply } from 'fastify'

/**
 * Calls back once, when the response is complete or can no longer reach the client. Events of the response alone are not
 * enough: a response that waits behind another one on its connection has no socket yet, so it misses a disconnect.
 */
export function onAnswerEnd(reply: FastifyReply, callback: () => void): void {
  const { raw: response } = reply
  const { socket } = reply.request.raw
  const end = () => {
    response.off('close', end)
    socket.off('close', end)
    callback()
  }
  if (socket.closed || response.closed) {
    callback()
    return
  }
  response.once('close', end)
  socket.once('close', end)
}
