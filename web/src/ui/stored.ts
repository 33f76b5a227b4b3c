import { useCallback, useState } from 'react'

/** State in the storage of this browser, such as column widths. Missing or invalid content gives the default. */
export function useStored<T>(name: string, initial: T): [T, (value: T) => void] {
  const key = `cairn.${name}`
  const [value, setValue] = useState<T>(() => read(key) ?? initial)
  const store = useCallback(
    (next: T) => {
      setValue(next)
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // Without storage the value is kept until the page is left.
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
