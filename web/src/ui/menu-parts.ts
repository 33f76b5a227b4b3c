import type { DropdownMenu } from 'radix-ui'
import { createContext, useContext } from 'react'

/** The components that menus consist of; they load with the first opened menu. */
export const MenuParts = createContext<typeof DropdownMenu | undefined>(undefined)

export function useMenuParts(): typeof DropdownMenu {
  const parts = useContext(MenuParts)
  if (!parts) throw new Error('a menu item is rendered outside of a menu')
  return parts
}
