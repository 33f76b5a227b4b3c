import { useSyncExternalStore } from 'react'

/** State that outlives the screens that show it, such as uploads that continue on other screens. */
export interface SharedState<T> {
  get: () => T
  set: (change: (state: T) => T) => void
  subscribe: (listener: () => void) => () => void
}

export function createSharedState<T>(initial: T): SharedState<T> {
  const listeners = new Set<() => void>()
  let state = initial
  return {
    get: () => state,
    set: (change) => {
      state = change(state)
      for (const tell of listeners) tell()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useSharedState<T>({ get, subscribe }: SharedState<T>): T {
  return useSyncExternalStore(subscribe, get)
}
