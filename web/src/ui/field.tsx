import clsx from 'clsx'
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'

const control =
  'w-full rounded-md border border-line-strong bg-background px-2 text-fg disabled:opacity-60 aria-invalid:border-error'

export function Input({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return <input className={clsx(control, 'h-7', className)} {...rest} />
}

export function Textarea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea className={clsx(control, 'min-h-16 py-1', className)} {...rest} />
}

export function Select({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return <select className={clsx(control, 'h-7 pr-1', className)} {...rest} />
}

interface FieldIds {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

/** A labelled control; below it its error, else its hint. */
export function Field({
  label,
  hint,
  error,
  children,
  className,
}: {
  label: string
  hint?: ReactNode
  error?: string | undefined
  children: (ids: FieldIds) => ReactNode
  className?: string
}) {
  const id = useId()
  const note = error ?? hint
  const ids: FieldIds = {
    id,
    ...(note && { 'aria-describedby': `${id}-note` }),
    ...(error && { 'aria-invalid': true as const }),
  }
  return (
    <div className={clsx('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children(ids)}
      {note && (
        <p id={`${id}-note`} className={clsx('text-sm', error ? 'text-error' : 'text-fg-3')}>
          {note}
        </p>
      )}
    </div>
  )
}

/** A check box with a label. */
export function Checkbox({
  children,
  className,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { children: ReactNode }) {
  return (
    <label className={clsx('flex items-start gap-2', className)}>
      <input type="checkbox" className="mt-[3px] size-3.5 shrink-0 accent-accent" {...rest} />
      <span>{children}</span>
    </label>
  )
}
