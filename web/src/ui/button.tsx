import clsx from 'clsx'
import type { ButtonHTMLAttributes } from 'react'

const variants = {
  primary: 'border-accent bg-accent text-on-accent hover:bg-accent-hover hover:border-accent-hover',
  default: 'border-line bg-background text-fg hover:bg-hover',
  ghost: 'border-transparent bg-transparent text-fg-2 hover:bg-hover hover:text-fg',
  danger: 'border-error bg-background text-error hover:bg-error-surface',
}

export type ButtonVariant = keyof typeof variants

/** The classes of a button, also for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'default', icon = false): string {
  return clsx(
    'inline-flex h-7 shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none',
    'disabled:opacity-50 disabled:pointer-events-none',
    icon ? 'w-7' : 'px-2.5',
    variants[variant],
  )
}

/** `busy` is the label while the action runs; the button is disabled meanwhile, so that a second click does nothing. */
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

/** A button that shows only an icon; `label` is its accessible name and its tooltip. */
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
