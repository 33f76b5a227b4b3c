import { useState } from 'react'
import { lazyComponent } from './lazy-component.tsx'
import type { PopoverProps } from './opened-popover.tsx'
import { openerOf } from './opener.tsx'

const opened = lazyComponent(() => import('./opened-popover.tsx').then(({ OpenedPopover }) => OpenedPopover))

/** A small form below its button. Escape and a click outside close it. */
export function Popover(props: PopoverProps) {
  const { trigger, open, onOpenChange } = props
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  const closed = openerOf(trigger, { popup: 'dialog', load: opened.load, open: () => onOpenChange(true) })
  return wanted ? <opened.Component {...props} fallback={closed} /> : closed
}
