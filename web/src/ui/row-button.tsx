import type { ReactNode } from 'react'
import { Button } from './button.tsx'

/** A button in a row of a table. `of` names what it acts on for those who hear it without its row. */
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
