import type { JsonObject } from '@cairn/contract/conversations'
import { useMemo, useState } from 'react'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { JsonTree } from '../../../ui/json-tree.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { PlainText } from '../../../ui/text/plain-text.tsx'
import { RichText } from '../../../ui/text/rich-text.tsx'
import { ChatView } from './chat-view.tsx'
import { PassageList } from './passage-list.tsx'
import { type Content, contentOf } from './recognize.ts'
import { ToolList } from './tool-list.tsx'

const titles = {
  chat: 'Chat',
  passages: 'Passages',
  formatted: 'Formatted',
  json: 'JSON',
  text: 'Text',
} as const
type Way = keyof typeof titles

function waysOf({ chat, passages, json }: Content): Way[] {
  const main: Way[] = [...(chat ? ['chat' as const] : []), ...(passages ? ['passages' as const] : [])]
  return json === undefined ? ['formatted', 'text'] : [...main, 'json', 'text']
}

/** The span of a content. */
export interface ContentSpan {
  kind: string
  attributes: JsonObject
}

/**
 * An input or output as a conversation, as passages, as formatted text, as JSON or as it was sent. The reader can choose
 * among the possible views.
 */
export function ContentView({
  title,
  value,
  span,
  projectId,
  chatId,
  heading: Heading = 'h2',
}: {
  title: string
  value: unknown
  span?: ContentSpan
  projectId: string
  /** The chat that the trace belongs to, for links to its documents. */
  chatId: string | undefined
  heading?: 'h2' | 'h4'
}) {
  const content = useMemo(() => contentOf(value, span?.kind, span?.attributes), [value, span])
  const ways = waysOf(content)
  const [chosen, setChosen] = useState<Way>()
  const way = chosen ?? ways[0]
  const { text } = content
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1">
      <div className="flex min-h-8 items-center gap-3">
        <Heading className="font-semibold">{title}</Heading>
        {text !== '' && (
          <Switch
            label={`Show ${title.toLowerCase()} as`}
            options={ways.map((name) => ({ name, title: titles[name] }))}
            value={way}
            onChange={setChosen}
          />
        )}
        <span className="ml-auto">
          <CopyButton text={text} label={`Copy ${title.toLowerCase()}`} />
        </span>
      </div>
      <div className="flex min-w-0 flex-col gap-3 rounded-md border p-3">
        {content.tools.length > 0 && <ToolList tools={content.tools} />}
        {way === 'chat' && content.chat ? (
          <ChatView turns={content.chat} />
        ) : way === 'passages' && content.passages ? (
          <PassageList passages={content.passages} projectId={projectId} chatId={chatId} />
        ) : way === 'json' ? (
          <JsonTree value={content.json} label={title} />
        ) : way === 'formatted' && text !== '' ? (
          <RichText text={text} />
        ) : (
          <PlainText text={text} />
        )}
      </div>
    </section>
  )
}
