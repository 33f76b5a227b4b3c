import { describe, expect, it } from 'vitest'
import { targetText } from './targets.ts'

describe('the text of a target', () => {
  it('names a chat by its title, or by its id if the chat is deleted', () => {
    const chat = { type: 'chat' as const, chat_id: 'chat1' } as Parameters<typeof targetText>[0]
    expect(targetText(chat, new Map([['chat1', 'Handbook']]))).toBe('Chat Handbook')
    expect(targetText(chat, new Map())).toBe('Chat chat1')
    expect(targetText(null, new Map())).toBe('Default of the project')
  })
})
