import { Popover as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import type { Opener } from './opener.tsx'

export interface PopoverProps {
  label: string
  trigger: Opener
  open: boolean
  onOpenChange: (open: boolean) => void
  children: ReactNode
}

/** The code of a popover, loaded when the first popover opens. */
export function OpenedPopover({ label, trigger, open, onOpenChange, children }: PopoverProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          aria-label={label}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-[70vh] w-72 max-w-[calc(100vw-16px)] overflow-auto rounded-md border bg-raised p-3"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
