import type { ReactNode } from 'react'
import { Button } from './button.tsx'

/** A button in a table row. `of` names the row for screen readers. */
export function RowButton({
  of,
  onClick,
  children,
}: {
  of: string
  onClick: () => void
  children: ReactNode
}) {
  return (
    <Button variant="ghost" onClick={onClick}>
      {children}
      <span className="sr-only">{of}</span>
    </Button>
  )
}
