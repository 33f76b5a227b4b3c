import clsx from 'clsx'
import { type ReactNode, useState } from 'react'
import { lazyComponent } from './lazy-component.tsx'
import { useMenuParts } from './menu-parts.ts'
import { type Opener, openerOf } from './opener.tsx'

const opened = lazyComponent(() => import('./opened-menu.tsx').then(({ OpenedMenu }) => OpenedMenu))

/** A menu below the button that opens it. */
export function Menu({
  trigger,
  children,
  align = 'end',
}: {
  trigger: Opener
  children: ReactNode
  align?: 'start' | 'end'
}) {
  const [wanted, setWanted] = useState(false)
  const closed = openerOf(trigger, { popup: 'menu', load: opened.load, open: () => setWanted(true) })
  if (!wanted) return closed
  return (
    <opened.Component trigger={trigger} align={align} fallback={closed}>
      {children}
    </opened.Component>
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
  const { Item } = useMenuParts()
  return (
    <Item
      className={clsx(item, danger && 'text-error', disabled && 'opacity-50')}
      disabled={disabled ?? false}
      onSelect={onSelect}
    >
      {children}
    </Item>
  )
}

/** A menu item that switches an option on and off; the menu stays open. */
export function MenuCheck({
  checked,
  onChange,
  children,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}) {
  const { CheckboxItem } = useMenuParts()
  return (
    <CheckboxItem
      className={item}
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <span className="w-3 text-accent" aria-hidden="true">
        {checked ? '✓' : ''}
      </span>
      {children}
    </CheckboxItem>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const { Label } = useMenuParts()
  return <Label className="px-2 py-1 text-sm text-fg-3">{children}</Label>
}

export function MenuLine() {
  const { Separator } = useMenuParts()
  return <Separator className="my-1 h-px bg-line" />
}
