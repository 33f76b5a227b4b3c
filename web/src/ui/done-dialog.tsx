import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { StatusBadge } from './status-badge.tsx'

/** What a dialog shows when its work is done or under way in the background: one sentence, and a link to the result. */
export function DoneDialog({
  title,
  kind = 'success',
  status,
  link,
  onClose,
  children,
}: {
  title: string
  kind?: 'success' | 'running'
  status: ReactNode
  link: ReactNode
  onClose: () => void
  children?: ReactNode
}) {
  return (
    <Dialog title={title} open onClose={onClose}>
      <p role="status">
        <StatusBadge kind={kind}>{status}</StatusBadge>
      </p>
      {children}
      <DialogActions>
        {link}
        <Button onClick={onClose} variant="primary">
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
