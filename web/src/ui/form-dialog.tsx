import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { ErrorNotice } from './states/error-notice.tsx'

/** What a form needs of the mutation that it starts. */
interface Sending {
  mutate: () => void
  isPending: boolean
  error: unknown
}

/** A dialog that is a form: its fields, what went wrong, a way out, and the button that sends. */
export function FormDialog({
  title,
  description,
  open = true,
  wide = false,
  onClose,
  sending,
  error = sending.error,
  failed,
  action,
  busy,
  disabled = false,
  cancel = 'Cancel',
  children,
}: {
  title: string
  description?: string
  open?: boolean
  wide?: boolean
  onClose: () => void
  sending: Sending
  /** What is shown below the fields; null where a field shows it. */
  error?: unknown
  /** The title of that. */
  failed?: string
  /** What the button says, and what it says while it is sent. */
  action: string
  busy: string
  disabled?: boolean
  cancel?: string
  children: ReactNode
}) {
  return (
    <Dialog title={title} {...(description && { description })} open={open} onClose={onClose} wide={wide}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          sending.mutate()
        }}
      >
        {children}
        {Boolean(error) && <ErrorNotice error={error} {...(failed && { title: failed })} />}
        <DialogActions>
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" variant="primary" disabled={disabled} busy={sending.isPending && busy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
