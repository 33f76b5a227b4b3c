import { useCallback, useState } from 'react'

/** State that this browser keeps: widths of columns, saved views. Wrong or missing content is the default. */
export function useStored<T>(name: string, initial: T): [T, (value: T) => void] {
  const key = `cairn.${name}`
  const [value, setValue] = useState<T>(() => read(key) ?? initial)
  const store = useCallback(
    (next: T) => {
      setValue(next)
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // A browser that keeps nothing: it holds until the page is left.
      }
    },
    [key],
  )
  return [value, store]
}

function read<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(key)
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}
