import clsx from 'clsx'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'

/** A menu under its button. */
export function Menu({
  trigger,
  children,
  align = 'end',
}: {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'end'
}) {
  return (
    <DropdownMenu.Root modal={false}>
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
  )
}

const item = 'flex h-7 items-center gap-2 rounded-sm px-2 outline-none data-highlighted:bg-hover select-none'

export function MenuItem({
  onSelect,
  danger,
  disabled,
  children,
}: {
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
  children: ReactNode
}) {
  return (
    <DropdownMenu.Item
      className={clsx(item, danger && 'text-error', disabled && 'opacity-50')}
      disabled={disabled ?? false}
      onSelect={onSelect}
    >
      {children}
    </DropdownMenu.Item>
  )
}

/** One that switches something on and off; the menu stays open. */
export function MenuCheck({
  checked,
  onChange,
  children,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}) {
  return (
    <DropdownMenu.CheckboxItem
      className={item}
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <span className="w-3 text-accent" aria-hidden="true">
        {checked ? '✓' : ''}
      </span>
      {children}
    </DropdownMenu.CheckboxItem>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2 py-1 text-sm text-fg-3">{children}</DropdownMenu.Label>
}

export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />
}
