import { Link } from '@tanstack/react-router'
import { History, Plus } from 'lucide-react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { plural } from '../../ui/format.ts'
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx'
import type { Conversation } from './conversation.ts'

/** Buttons for a new conversation, earlier conversations of this tab, and the traces of the current one. */
export function HistoryMenu({
  projectId,
  conversations,
  current,
  onOpen,
  onNew,
}: {
  projectId: string
  conversations: readonly Conversation[]
  current: string
  onOpen: (sessionId: string) => void
  onNew: () => void
}) {
  const traces: string = `/projects/${projectId}/sessions/${current}`
  const isKept = conversations.some(({ sessionId }) => sessionId === current)
  const others = conversations.filter(({ sessionId }) => sessionId !== current)
  return (
    <div className="flex items-center gap-1">
      {others.length > 0 && (
        <Menu
          trigger={
            <Button variant="ghost">
              <History size={14} aria-hidden="true" /> Earlier
            </Button>
          }
        >
          <MenuLabel>Conversations in this tab</MenuLabel>
          {others.map(({ sessionId, turns }) => (
            <MenuItem key={sessionId} onSelect={() => onOpen(sessionId)}>
              <span className="truncate">{turns[0]?.request.question}</span>
              <span className="ml-auto shrink-0 text-fg-3">{plural(turns.length, 'question')}</span>
            </MenuItem>
          ))}
        </Menu>
      )}
      {isKept && (
        <Link to={traces} className={buttonClass('ghost')}>
          Traces
        </Link>
      )}
      <Button variant="ghost" onClick={onNew}>
        <Plus size={14} aria-hidden="true" /> New conversation
      </Button>
    </div>
  )
}
