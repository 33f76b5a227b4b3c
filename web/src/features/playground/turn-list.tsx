import { type ReactNode, useEffect, useRef } from 'react'
import type { OpenPassage } from './citation-mark.tsx'
import type { Turn } from './conversation.ts'
import { citedIn, TurnView } from './turn-view.tsx'

/** Pixels from the end of the list within which it follows a streaming answer. */
const nearEnd = 80

/** The turns of a conversation. The list follows a streaming answer until the user scrolls away. */
export function TurnList({
  turns,
  chatId,
  onOpen,
  onRetry,
  children,
}: {
  turns: readonly Turn[]
  chatId: string
  onOpen: OpenPassage
  onRetry: (turn: Turn) => void
  children: ReactNode
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const count = useRef(0)
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    if (turns.length !== count.current) follows.current = true
    count.current = turns.length
    if (follows.current) element.scrollTop = element.scrollHeight
  }, [turns])
  return (
    <>
      <div className="flex shrink-0 justify-end px-4 pt-2">{children}</div>
      <div
        ref={scroller}
        className="min-h-0 flex-1 overflow-auto px-4"
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          follows.current = scrollHeight - scrollTop - clientHeight < nearEnd
        }}
      >
        <div className="mx-auto flex max-w-3xl flex-col gap-5 pt-2 pb-4">
          {turns.map((turn) => (
            <TurnView
              key={turn.id}
              turn={turn}
              chatId={chatId}
              onOpen={onOpen}
              onRetry={() => onRetry(turn)}
            />
          ))}
        </div>
      </div>
      <p role="status" className="sr-only">
        {spoken(turns.at(-1))}
      </p>
    </>
  )
}

/** The announcement for screen readers: that an answer is being written, then the whole answer once. */
function spoken(turn: Turn | undefined): string {
  switch (turn?.state) {
    case 'waiting':
    case 'streaming':
      return 'The answer is being written'
    case 'done': {
      const sources = citedIn(turn.answer).size
      return `${turn.answer.replace(/\[\^\d+\]/g, '')} ${sources === 1 ? '1 source' : `${sources} sources`}.`
    }
    case 'stopped':
      return 'The answer was stopped'
    default:
      return ''
  }
}
