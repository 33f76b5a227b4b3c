import { type ComponentType, type ReactNode, useEffect } from 'react'
import { createSharedState, useSharedState } from './shared-state.ts'

/** A component whose code loads on `load` or when it is first rendered; `fallback` is shown until then. */
export interface LazyComponent<Props> {
  Component: (props: Props & { fallback?: ReactNode }) => ReactNode
  load: () => void
}

/** Like `lazy` of React, but without Suspense, which would delay loaded content by 300 ms. */
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
        // The next use tries again; components on screen throw the error.
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
