import type { DropdownMenu } from 'radix-ui'
import { createContext, useContext } from 'react'

/** The parts that menus are made of; they come with the first menu that is opened. */
export const MenuParts = createContext<typeof DropdownMenu | undefined>(undefined)

export function useMenuParts(): typeof DropdownMenu {
  const parts = useContext(MenuParts)
  if (!parts) throw new Error('an item of a menu stands outside of one')
  return parts
}
