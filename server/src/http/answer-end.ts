import type { FastifyReply } from 'fastify'

/**
 * Calls back once when the answer is complete or can no longer reach the client. The response alone does not tell: one
 * that waits behind another on the same connection has no socket yet, and says nothing when the client leaves.
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
