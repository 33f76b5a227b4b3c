import { useState } from 'react'
import { plural } from '../../../ui/format.ts'
import type { ChatTurn } from './chat.ts'
import { PartView } from './part-view.tsx'
import { ToolCallView } from './tool-call-view.tsx'

/** Of a long conversation, the first message and the last ones are shown at first. */
const firstShown = 1
const lastShown = 20
const step = 50

/** A conversation: its messages in order, with the calls of tools and their results. */
export function ChatView({ turns }: { turns: readonly ChatTurn[] }) {
  const [shown, setShown] = useState(lastShown)
  const hidden = Math.max(0, turns.length - firstShown - shown)
  return (
    <ol className="flex flex-col gap-3">
      {turns.map((turn, at) => {
        if (at >= firstShown && at < firstShown + hidden) {
          return (
            at === firstShown && (
              <li key="hidden">
                <button type="button" className="link" onClick={() => setShown(shown + step)}>
                  Show earlier messages ({plural(hidden, 'message')} hidden)
                </button>
              </li>
            )
          )
        }
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
        return <Turn key={at} turn={turn} />
      })}
    </ol>
  )
}

const borders: Record<string, string> = {
  user: 'border-info',
  assistant: 'border-accent',
  tool: 'border-[var(--series-3)]',
}

/** Number of parts and of calls of one message that are shown at first, and that each click adds. */
const partStep = 20

function Turn({ turn: { role, name, parts, calls, others } }: { turn: ChatTurn }) {
  const [most, setMost] = useState(partStep)
  const hidden = Math.max(0, parts.length - most) + Math.max(0, calls.length - most)
  const fields = Object.keys(others)
  return (
    <li
      className={`flex min-w-0 flex-col gap-1.5 border-s-2 ps-3 ${borders[role] ?? 'border-line-strong'}`}
      data-role={role}
    >
      <p className="text-sm font-medium text-fg-2">
        <bdi>{role}</bdi>
        {name !== undefined && (
          <>
            {' '}
            <bdi className="font-normal">{name}</bdi>
          </>
        )}
      </p>
      {parts.slice(0, most).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
        <PartView key={at} part={part} of={role} />
      ))}
      {calls.slice(0, most).map((call, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
        <ToolCallView key={at} call={call} />
      ))}
      {hidden > 0 && (
        <button type="button" className="link self-start" onClick={() => setMost(most + partStep)}>
          Show more ({plural(hidden, 'part')} left)
        </button>
      )}
      {parts.length === 0 && calls.length === 0 && fields.length === 0 && (
        <p className="text-fg-3">No content</p>
      )}
      {fields.length > 0 && <PartView part={{ kind: 'other', value: others }} of={role} depth={0} />}
    </li>
  )
}
