import { useSyncExternalStore } from 'react'
import { resolveColour } from './colour.ts'

const dark = window.matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()
let resolved = new Map<string, string>()

function changed(): void {
  resolved = new Map()
  for (const tell of listeners) tell()
}

dark.addEventListener('change', changed)
new MutationObserver(changed).observe(document.documentElement, { attributeFilter: ['data-theme'] })

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function colour(variable: string): string {
  const known = resolved.get(variable) ?? resolveColour(variable)
  resolved.set(variable, known)
  return known
}

/**
 * A function that reads colours of the theme by CSS variable, for canvas and WebGL. Each theme has a function of its own, so
 * that effects which depend on it redraw.
 */
export function useThemeColours(): (variable: string) => string {
  const current = useSyncExternalStore(subscribe, () => resolved)
  return readers.get(current) ?? readerOf(current)
}

const readers = new WeakMap<object, (variable: string) => string>()

function readerOf(current: object): (variable: string) => string {
  const reader = (variable: string) => colour(variable)
  readers.set(current, reader)
  return reader
}
