import { JsonTree } from '../../../ui/json-tree.tsx'
import { MediaView } from '../../../ui/text/media-view.tsx'
import { PlainText } from '../../../ui/text/plain-text.tsx'
import { RichText } from '../../../ui/text/rich-text.tsx'
import type { ChatPart } from './parts.ts'

/** A part of a message. The words of tools are shown as they are, since they are data. */
export function PartView({ part, of, depth = 1 }: { part: ChatPart; of: string; depth?: number }) {
  switch (part.kind) {
    case 'text':
      return of === 'tool' ? <PlainText text={part.text} first={2000} /> : <RichText text={part.text} />
    case 'reasoning':
      return (
        <details className="text-fg-2">
          <summary className="rounded-sm text-sm">Reasoning</summary>
          <div className="pt-1 ps-3">
            <RichText text={part.text} />
          </div>
        </details>
      )
    case 'media':
      return <MediaView media={part.media} />
    case 'other':
      return <JsonTree value={part.value} label={`Part of a message of ${of}`} depth={depth} />
  }
}
