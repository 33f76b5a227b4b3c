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

/** Applies a theme to the page; `system` follows the operating system. */
export function applyTheme(theme: Theme = chosenTheme()): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
}

export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(key, theme)
  } catch {
    // Without storage the theme is kept until the page is left.
  }
  applyTheme(theme)
}
