import { type ButtonHTMLAttributes, cloneElement, type ReactElement } from 'react'

/** A button that opens something below it. */
export type Opener = ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>

/**
 * The button while what it opens has not come yet: that is asked for when a hand or the keyboard draws near, and opened
 * by a click. Most pages have many such buttons, and few are pressed.
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
