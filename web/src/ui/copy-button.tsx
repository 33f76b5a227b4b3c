import { useEffect, useState } from 'react'

const shownMs = 1500

/** Rejects when the browser does not allow it. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  // Plain http on another machine than this one has no clipboard, only the old way through a selection.
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (!copied) throw new Error('the browser refused to copy')
}

/** Copies text, and says on itself whether it did. */
export function CopyButton({
  text,
  label,
  children = 'Copy',
}: {
  text: string
  label: string
  children?: string
}) {
  const [outcome, setOutcome] = useState<string>()

  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(setOutcome, shownMs, undefined)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = () =>
    copyText(text).then(
      () => setOutcome('Copied'),
      () => setOutcome('Not allowed by the browser'),
    )

  return (
    <button type="button" className="copy" aria-label={outcome ?? label} title={label} onClick={copy}>
      <span aria-live="polite">{outcome ?? children}</span>
    </button>
  )
}
