import { type ComponentType, type ReactNode, useEffect } from 'react'
import { createSharedState, useSharedState } from './shared-state.ts'

/** A component whose code comes when `load` is called, or with its first appearance; until then `fallback` stands there. */
export interface LazyComponent<Props> {
  Component: (props: Props & { fallback?: ReactNode }) => ReactNode
  load: () => void
}

/** As `lazy`, without a Suspense: that holds back what has come until 0.3 s after it began to wait. */
export function lazyComponent<Props extends object>(
  read: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  const state = createSharedState<{ Loaded?: ComponentType<Props>; error?: unknown }>({})
  let asked = false
  let shown = 0
  const load = () => {
    if (asked) return
    asked = true
    read().then(
      (Loaded) => state.set(() => ({ Loaded })),
      (error: unknown) => {
        // The next one who wants it tries again; those who see that it is missing are told.
        asked = false
        if (shown > 0) state.set(() => ({ error }))
      },
    )
  }
  const show = () => {
    shown++
    load()
    return () => {
      shown--
      if (state.get().error) state.set(() => ({}))
    }
  }
  return {
    load,
    Component: ({ fallback, ...props }) => {
      const { Loaded, error } = useSharedState(state)
      useEffect(show, [])
      if (error) throw error
      return Loaded ? <Loaded {...(props as unknown as Props)} /> : fallback
    },
  }
}
