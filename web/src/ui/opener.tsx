import { type ButtonHTMLAttributes, cloneElement, type ReactElement } from 'react'

/** A button that opens a menu or a popover below it. */
export type Opener = ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>

/**
 * The button before the code of its popup is loaded. Hover and focus load the code, a click opens the popup. Most screens
 * have many such buttons, of which few are used.
 */
export function openerOf(
  trigger: Opener,
  { popup, load, open }: { popup: 'menu' | 'dialog'; load: () => void; open: () => void },
): Opener {
  return cloneElement(trigger, {
    'aria-haspopup': popup,
    'aria-expanded': false,
    onPointerEnter: load,
    onFocus: load,
    onClick: open,
    onKeyDown: (event) => {
      if (popup !== 'menu' || event.key !== 'ArrowDown') return
      event.preventDefault()
      open()
    },
  })
}
