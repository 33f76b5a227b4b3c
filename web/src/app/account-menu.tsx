import { BookOpen, LogOut, MonitorCog } from 'lucide-react'
import { useState } from 'react'
import { client } from '../shared/client.ts'
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx'
import { chooseTheme, chosenTheme, type Theme } from './theme.ts'

const themes: readonly [Theme, string][] = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]

async function signOut(): Promise<void> {
  await client.console.session.signOut()
  // A full page load clears everything from memory.
  window.location.assign('/sign-in')
}

/** The menu with theme, API reference and sign-out. */
export function AccountMenu({ className }: { className: string }) {
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={className}>
          <MonitorCog size={14} aria-hidden="true" />
          Administrator
        </button>
      }
    >
      <MenuLabel>Theme</MenuLabel>
      {themes.map(([name, title]) => (
        <MenuCheck
          key={name}
          checked={theme === name}
          onChange={() => {
            chooseTheme(name)
            setTheme(name)
          }}
        >
          {title}
        </MenuCheck>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => window.open('/docs', '_blank', 'noopener')}>
        <BookOpen size={14} aria-hidden="true" />
        API reference
      </MenuItem>
      <MenuItem onSelect={signOut}>
        <LogOut size={14} aria-hidden="true" />
        Sign out
      </MenuItem>
    </Menu>
  )
}
