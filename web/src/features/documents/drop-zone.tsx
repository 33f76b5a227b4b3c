import { Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

/** An area that accepts dropped files, with a hint while files are dragged over it. */
export function DropZone({
  onFiles,
  children,
}: {
  onFiles: (files: readonly File[]) => void
  children: ReactNode
}) {
  // Entering a child fires before leaving its parent, so enters and leaves are counted.
  const depth = useRef(0)
  const [isOver, setOver] = useState(false)
  const enter = (change: number) => {
    depth.current = Math.max(0, depth.current + change)
    setOver(depth.current > 0)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a button offers the same by keyboard
    <div
      className="relative flex min-h-0 min-w-0 flex-1"
      onDragEnter={(event) => hasFiles(event) && enter(1)}
      onDragLeave={(event) => hasFiles(event) && enter(-1)}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        depth.current = 0
        setOver(false)
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-2 z-30 flex items-center justify-center gap-2 rounded-md border-2 border-dashed border-accent bg-raised text-lg font-medium">
          <Upload size={18} aria-hidden="true" /> Drop to upload
        </div>
      )}
    </div>
  )
}
