import { useEffect, useState } from 'react'
import { isTyping } from '../ui/typing.ts'

/** Keyboard shortcuts of every screen. `/` focuses the element with `data-search`. */
export function useShortcuts() {
  const [palette, setPalette] = useState(false)
  const [help, setHelp] = useState(false)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) {
        event.preventDefault()
        setPalette((open) => !open)
        return
      }
      if (isTyping(event.target) || event.metaKey || event.ctrlKey || event.altKey) return
      if (event.key === '?') setHelp(true)
      else if (event.key === '/') document.querySelector<HTMLElement>('[data-search]')?.focus()
      else if (event.key === 'j' || event.key === 'k') focusTable(event)
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return { palette, setPalette, help, setHelp }
}

/** j and k focus the table of the screen; its rows handle further keys. */
function focusTable(event: KeyboardEvent): void {
  if ((event.target as HTMLElement | null)?.closest('tbody tr')) return
  document.querySelector<HTMLElement>('main tbody tr[tabindex="0"]')?.focus()
}
