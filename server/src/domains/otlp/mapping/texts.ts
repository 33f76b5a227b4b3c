import { asText, textOfMessage } from '@cairn/contract/conversations'
import type { Content } from './candidate.ts'

/** A content as text. A conversation of one text is this text. */
export function contentText(content: Content): string {
  const { text, messages, value } = content
  const [message] = messages ?? []
  const isOneText =
    message &&
    messages?.length === 1 &&
    message.tool_calls === undefined &&
    typeof message.content === 'string'
  return text ?? (isOneText ? textOfMessage(message) : asText(value))
}

/** The text of the last message that fits, or the whole content if it is no conversation. */
export function lastText(content: Content | undefined, role?: string): string | undefined {
  if (!content?.messages) return content && contentText(content)
  const found = content.messages.findLast(
    (message) => (role === undefined || message.role === role) && textOfMessage(message) !== '',
  )
  return found ? textOfMessage(found) : contentText(content)
}
