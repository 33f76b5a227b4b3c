import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'

export interface DialogProps {
  title: string
  description?: string
  open: boolean
  onClose: () => void
  wide?: boolean
  children: ReactNode
}

/** The code of a dialog, loaded when the first dialog opens. */
export function OpenedDialog({ title, description, open, onClose, wide, children }: DialogProps) {
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-overlay" />
        <Primitive.Content
          className={`fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[calc(100vw-24px)] -translate-x-1/2 flex-col rounded-md border bg-raised ${wide ? 'max-w-3xl' : 'max-w-md'}`}
          {...(!description && { 'aria-describedby': undefined })}
        >
          <div className="flex items-center justify-between gap-4 border-b py-2 pr-2 pl-4">
            <Primitive.Title className="text-lg font-semibold">{title}</Primitive.Title>
            <Primitive.Close asChild>
              <IconButton label="Close">
                <X size={16} />
              </IconButton>
            </Primitive.Close>
          </div>
          <div className="flex flex-col gap-4 overflow-auto p-4">
            {description && (
              <Primitive.Description className="text-fg-2">{description}</Primitive.Description>
            )}
            {children}
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
