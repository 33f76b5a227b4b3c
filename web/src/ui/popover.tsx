import { Popover as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

/** A small form under its button. Escape and a click beside it close it. */
export function Popover({
  label,
  trigger,
  open,
  onOpenChange,
  children,
}: {
  label: string
  trigger: ReactNode
  open: boolean
  onOpenChange: (open: boolean) => void
  children: ReactNode
}) {
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
