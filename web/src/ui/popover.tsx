import { type ReactNode, useState } from 'react'
import { later } from './later.tsx'
import { type Opener, openerOf } from './opener.tsx'

const opened = later(() => import('./opened-popover.tsx').then(({ OpenedPopover }) => OpenedPopover))

/** A small form under its button. Escape and a click beside it close it. */
export function Popover(props: {
  label: string
  trigger: Opener
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The edge of its button that it keeps to: the first one, unless told. */
  align?: 'start' | 'end'
  children: ReactNode
}) {
  const { trigger, open, onOpenChange } = props
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  const closed = openerOf(trigger, { popup: 'dialog', load: opened.load, open: () => onOpenChange(true) })
  return wanted ? <opened.Component {...props} fallback={closed} /> : closed
}
