import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { ErrorNotice } from './states/error-notice.tsx'

/** The part of a mutation that a form uses; a form whose values stay in the browser has only `mutate`. */
interface Sending {
  mutate: () => void
  isPending?: boolean
  error?: unknown
}

/** A dialog with a form: fields, an error, a cancel button and a submit button that starts one mutation. */
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
  actions,
  children,
}: {
  title: string
  description?: string
  open?: boolean
  wide?: boolean
  onClose: () => void
  sending: Sending
  /** The error below the fields; null if a field shows it. */
  error?: unknown
  /** The title of the error. */
  failed?: string
  /** Labels of the submit button: at rest, and while the request runs. */
  action: string
  busy?: string
  disabled?: boolean
  cancel?: string
  /** Further buttons, before the cancel button. */
  actions?: ReactNode
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
          {actions}
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" variant="primary" disabled={disabled} busy={sending.isPending && busy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
