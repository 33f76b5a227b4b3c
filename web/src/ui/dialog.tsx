import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { Field, Input } from './field.tsx'

/** A modal dialog; closed by Escape, by its button and by a click beside it. */
export function Dialog({
  title,
  description,
  open,
  onClose,
  wide,
  children,
}: {
  title: string
  description?: string
  open: boolean
  onClose: () => void
  wide?: boolean
  children: ReactNode
}) {
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-overlay" />
        <Primitive.Content
          className={`fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[calc(100vw-24px)] -translate-x-1/2 flex-col rounded-md border bg-raised ${wide ? 'max-w-3xl' : 'max-w-md'}`}
          {...(!description && { 'aria-describedby': undefined })}
        >
          <div className="flex items-center justify-between gap-4 border-b py-2 pr-2 pl-4">
            <Primitive.Title className="text-lg font-semibold">{title}</Primitive.Title>
            <Primitive.Close asChild>
              <IconButton label="Close">
                <X size={16} />
              </IconButton>
            </Primitive.Close>
          </div>
          <div className="flex flex-col gap-4 overflow-auto p-4">
            {description && (
              <Primitive.Description className="text-fg-2">{description}</Primitive.Description>
            )}
            {children}
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** The row of buttons that ends a dialog's form; it stays in sight while a long form scrolls. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-4 z-10 -mx-4 -mb-4 flex flex-wrap justify-end gap-2 rounded-b-md border-t bg-raised px-4 py-3">
      {children}
    </div>
  )
}

/**
 * Asks before something is destroyed: `what` says what and how much, `name` has to be typed where it cannot be undone
 * and much hangs on it. Stays open, with the server's words, when it fails.
 */
export function ConfirmDialog({
  title,
  what,
  action,
  name,
  open,
  onClose,
  onConfirm,
}: {
  title: string
  what: ReactNode
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
      <div className="text-fg-2">{what}</div>
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
          look="danger"
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
