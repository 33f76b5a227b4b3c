import { type Message, messagesOf, parseJson } from '@cairn/contract/conversations'
import { type ReactNode, useMemo, useState } from 'react'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { formatCount } from '../../../ui/format.ts'
import { JsonTree } from '../../../ui/json-tree.tsx'

/** Number of characters that are shown at first. */
const shownText = 20_000
const titles = { chat: 'Chat', json: 'JSON', text: 'Text' } as const
type Way = keyof typeof titles

/** A text of a trace as a conversation, a JSON tree or plain text; the reader can choose among the possible views. */
export function ContentView({
  title,
  text,
  heading: Heading = 'h2',
}: {
  title: string
  text: string
  heading?: 'h2' | 'h4'
}) {
  const json = useMemo(() => parseJson(text), [text])
  const messages = useMemo(() => messagesOf(json), [json])
  const ways: Way[] = [...(messages ? ['chat' as const] : []), ...(json ? ['json' as const] : []), 'text']
  const [chosen, setChosen] = useState<Way>()
  const way = chosen ?? ways[0]
  return (
    <section aria-label={title} className="min-w-0">
      <div className="flex h-8 items-center gap-3">
        <Heading className="font-semibold">{title}</Heading>
        {ways.length > 1 && (
          <fieldset className="flex rounded-md border" aria-label={`Show ${title.toLowerCase()} as`}>
            {ways.map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === way}
                className={`h-6 rounded-md px-2 text-sm ${name === way ? 'bg-selected font-medium' : 'text-fg-2 hover:text-fg'}`}
                onClick={() => setChosen(name)}
              >
                {titles[name]}
              </button>
            ))}
          </fieldset>
        )}
        <span className="ml-auto">
          <CopyButton text={text} label={`Copy ${title.toLowerCase()}`} />
        </span>
      </div>
      <Frame>
        {way === 'chat' && messages ? (
          <Conversation messages={messages} />
        ) : way === 'json' && json ? (
          <JsonTree value={json} label={title} />
        ) : (
          <LongText text={text} />
        )}
      </Frame>
    </section>
  )
}

function Frame({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls long content too
    <div tabIndex={0} className="max-h-96 overflow-auto rounded-md border p-3">
      {children}
    </div>
  )
}

function LongText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false)
  if (text === '') return <p className="text-fg-3">Empty</p>
  const isCut = text.length > shownText && !whole
  return (
    <div className="break-words whitespace-pre-wrap">
      {isCut ? text.slice(0, shownText) : text}
      {isCut && (
        <button type="button" className="link mt-2 block" onClick={() => setWhole(true)}>
          Show all {formatCount(text.length)} characters
        </button>
      )}
    </div>
  )
}

function Conversation({ messages }: { messages: readonly Message[] }) {
  return (
    <ol className="flex flex-col gap-3">
      {messages.map(({ role, text, others }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
        <li key={place} className="border-l-2 pl-3" data-role={role}>
          <p className="text-sm font-medium text-fg-2">{role}</p>
          {text !== '' && <LongText text={text} />}
          {others.map((other, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
            <JsonTree key={at} value={other} label={`Part of a message of ${role}`} depth={1} />
          ))}
        </li>
      ))}
    </ol>
  )
}
