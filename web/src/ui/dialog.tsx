import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Field, Input } from './field.tsx'
import { lazyComponent } from './lazy-component.tsx'
import type { DialogProps } from './opened-dialog.tsx'
import { ErrorNotice } from './states/error-notice.tsx'

const opened = lazyComponent(() => import('./opened-dialog.tsx').then(({ OpenedDialog }) => OpenedDialog))

/** A modal dialog; Escape, its close button and a click outside close it. */
export function Dialog(props: DialogProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  return wanted && <opened.Component {...props} />
}

/** The buttons at the end of a dialog; they stay visible while a long form scrolls. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-4 z-10 -mx-4 -mb-4 flex flex-wrap justify-end gap-2 rounded-b-md border-t bg-raised px-4 py-3">
      {children}
    </div>
  )
}

/**
 * Asks before a destructive action. `consequences` says what is lost. If `name` is given, it must be typed to confirm. On
 * failure the dialog stays open and shows the error of the server.
 */
export function ConfirmDialog({
  title,
  consequences,
  action,
  name,
  open,
  onClose,
  onConfirm,
}: {
  title: string
  consequences: ReactNode
  action: string
  name?: string
  open: boolean
  onClose: () => void
  onConfirm: () => Promise<unknown>
}) {
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const close = () => {
    setTyped('')
    setError(undefined)
    onClose()
  }
  const confirm = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await onConfirm()
      close()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} open={open} onClose={close}>
      <div className="text-fg-2">{consequences}</div>
      {name !== undefined && (
        <Field label={`Type “${name}” to confirm`}>
          {(ids) => (
            <Input
              {...ids}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoComplete="off"
            />
          )}
        </Field>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      <DialogActions>
        <Button onClick={close}>Cancel</Button>
        <Button
          variant="danger"
          busy={busy && 'Working…'}
          disabled={name !== undefined && typed !== name}
          onClick={confirm}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
