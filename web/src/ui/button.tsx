import clsx from 'clsx'
import type { ButtonHTMLAttributes } from 'react'

const variants = {
  primary: 'border-accent bg-accent text-on-accent hover:bg-accent-hover hover:border-accent-hover',
  default: 'border-line bg-background text-fg hover:bg-hover',
  ghost: 'border-transparent bg-transparent text-fg-2 hover:bg-hover hover:text-fg',
  danger: 'border-error bg-background text-error hover:bg-error-surface',
}

export type ButtonVariant = keyof typeof variants

/** What a button looks like, for links that are one. */
export function buttonClass(variant: ButtonVariant = 'default', icon = false): string {
  return clsx(
    'inline-flex h-7 shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none',
    'disabled:opacity-50 disabled:pointer-events-none',
    icon ? 'w-7' : 'px-2.5',
    variants[variant],
  )
}

/** `busy` says what is going on, and keeps a second click from doing it twice. */
export function Button({
  variant = 'default',
  busy,
  className,
  children,
  disabled,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { variant?: ButtonVariant; busy?: string | false | undefined }) {
  return (
    <button
      type="button"
      className={clsx(buttonClass(variant), className)}
      disabled={disabled || Boolean(busy)}
      aria-busy={busy ? true : undefined}
      {...rest}
    >
      {busy || children}
    </button>
  )
}

/** A button that is only an icon; `label` is its name, shown on hover. */
export function IconButton({
  label,
  variant = 'ghost',
  className,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string; variant?: ButtonVariant }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={clsx(buttonClass(variant, true), className)}
      {...rest}
    />
  )
}
