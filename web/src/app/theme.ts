export type Theme = 'system' | 'light' | 'dark'

const key = 'cairn.theme'

export function chosenTheme(): Theme {
  try {
    const theme = localStorage.getItem(key)
    return theme === 'light' || theme === 'dark' ? theme : 'system'
  } catch {
    return 'system'
  }
}

/** Puts the chosen theme on the page; `system` follows the machine. */
export function applyTheme(theme: Theme = chosenTheme()): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
}

export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(key, theme)
  } catch {
    // A browser that keeps nothing: it holds until the page is left.
  }
  applyTheme(theme)
}
