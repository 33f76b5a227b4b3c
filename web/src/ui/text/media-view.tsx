import { ImageIcon, ImageOff, Volume2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../button.tsx'
import type { Media } from './media.ts'

const icons = { image: ImageIcon, audio: Volume2 }
const names = { image: 'image', audio: 'sound' }

/** An image or a sound. One of another server loads on a click only, since loading tells that server about the reader. */
export function MediaView({ media: { kind, src, isRemote }, alt = '' }: { media: Media; alt?: string }) {
  const [isWanted, setWanted] = useState(!isRemote)
  const [hasFailed, setFailed] = useState(false)
  const Icon = icons[kind]
  if (hasFailed) {
    return (
      <span className="inline-flex items-center gap-1.5 text-fg-2">
        <ImageOff size={14} aria-hidden="true" />
        The {names[kind]} cannot be {kind === 'audio' ? 'played' : 'shown'}
        {alt && `: ${alt}`}
      </span>
    )
  }
  if (!isWanted) {
    return (
      <Button className="max-w-full self-start" title={src} onClick={() => setWanted(true)}>
        <Icon size={14} className="shrink-0" aria-hidden="true" />
        <bdi className="truncate">
          Load the {names[kind]} from {new URL(src).host}
          {alt && `: ${alt}`}
        </bdi>
      </Button>
    )
  }
  if (kind === 'audio') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: traces have no captions
      <audio
        controls
        preload="metadata"
        src={src}
        className="max-w-full self-start"
        onError={() => setFailed(true)}
      />
    )
  }
  return (
    <img
      src={src}
      alt={alt || 'Part of the trace'}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      className="max-h-80 max-w-full self-start rounded-md border object-contain"
      onError={() => setFailed(true)}
    />
  )
}
