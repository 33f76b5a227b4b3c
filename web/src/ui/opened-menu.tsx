import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { MenuParts } from './menu-parts.ts'
import type { Opener } from './opener.tsx'

/** The code of a menu, loaded when the first menu opens. */
export function OpenedMenu({
  trigger,
  align,
  children,
}: {
  trigger: Opener
  align: 'start' | 'end'
  children: ReactNode
}) {
  return (
    <MenuParts value={DropdownMenu}>
      <DropdownMenu.Root modal={false} defaultOpen>
        <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align={align}
            sideOffset={4}
            className="z-50 max-h-[60vh] max-w-80 min-w-44 overflow-auto rounded-md border bg-raised p-1"
          >
            {children}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </MenuParts>
  )
}
