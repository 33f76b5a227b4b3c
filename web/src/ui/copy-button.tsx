import clsx from 'clsx'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { buttonClass } from './button.tsx'
import { HighlightedCode } from './text/highlighted-code.tsx'

const shownMs = 1500

/** Rejects if the browser does not allow copying. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  // Pages from another machine over plain http have no clipboard API; copying a selection still works there.
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (!copied) throw new Error('the browser refused to copy')
}

/** Copies a text; `outcome` says for a moment whether it worked. */
function useCopy(text: string): { outcome: string | undefined; copy: () => void } {
  const [outcome, setOutcome] = useState<string>()
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(setOutcome, shownMs, undefined)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () => {
    copyText(text).then(
      () => setOutcome('Copied'),
      () => setOutcome('Not allowed by the browser'),
    )
  }
  return { outcome, copy }
}

/** A button that copies a text and shows on itself whether it worked. */
export function CopyButton({
  text,
  label,
  children = 'Copy',
}: {
  text: string
  label: string
  children?: string
}) {
  const { outcome, copy } = useCopy(text)
  return (
    <button
      type="button"
      className={buttonClass('ghost')}
      aria-label={outcome ?? label}
      title={label}
      onClick={copy}
    >
      {outcome === 'Copied' ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      <span aria-live="polite">{outcome ?? children}</span>
    </button>
  )
}

/** An id that is copied by a click. */
export function CopyId({ id, short, className }: { id: string; short?: boolean; className?: string }) {
  const { outcome, copy } = useCopy(id)
  const shown = short ? `${id.slice(0, 5)}…${id.slice(-6)}` : id
  return (
    <button
      type="button"
      title={`${id}: click to copy`}
      aria-label={outcome ?? `Copy ${shown}`}
      onClick={(event) => {
        event.stopPropagation()
        copy()
      }}
      className={clsx('max-w-full truncate rounded-sm font-mono text-sm text-fg-2 hover:bg-hover', className)}
    >
      {outcome ?? shown}
    </button>
  )
}

/** Code with a copy button, in the colours of its language; `wrap` breaks long lines, for prose. */
export function CodeBlock({
  code,
  label,
  wrap,
  language,
}: {
  code: string
  label: string
  wrap?: boolean
  language?: string
}) {
  return (
    <div dir="ltr" className="flex min-w-0 items-start rounded-md border bg-code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls long lines too */}
      <pre tabIndex={0} className={clsx('min-w-0 flex-1 overflow-x-auto p-3', wrap && 'whitespace-pre-wrap')}>
        <code>
          <HighlightedCode text={code} language={language} />
        </code>
      </pre>
      <div className="m-1 shrink-0">
        <CopyButton text={code} label={`Copy: ${label}`} />
      </div>
    </div>
  )
}
