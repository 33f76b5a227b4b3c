import { useEffect, useMemo } from 'react'
import { createSharedState, useSharedState } from '../shared-state.ts'
import { showDirectionMarks } from './direction-marks.ts'
import type { CodeToken } from './highlight.ts'

/** Longer texts keep one colour. */
const longest = 20_000

const colours: Record<string, string> = {
  keyword: 'var(--series-4)',
  built_in: 'var(--series-1)',
  type: 'var(--series-1)',
  literal: 'var(--series-2)',
  number: 'var(--series-2)',
  symbol: 'var(--series-2)',
  string: 'var(--series-7)',
  regexp: 'var(--series-7)',
  addition: 'var(--success)',
  deletion: 'var(--error)',
  comment: 'var(--fg-3)',
  title: 'var(--series-3)',
  attr: 'var(--series-3)',
  name: 'var(--series-3)',
  variable: 'var(--series-6)',
  meta: 'var(--fg-2)',
}

const loaded = createSharedState<((text: string, language: string) => CodeToken[] | undefined) | undefined>(
  undefined,
)
let isAsked = false

/** Loads the languages, once. Without them, code has one colour. */
function load(): void {
  if (isAsked) return
  isAsked = true
  import('./highlight.ts').then(
    ({ highlight }) => loaded.set(() => highlight),
    () => {
      isAsked = false
    },
  )
}

/** A program text with the colours of its language. */
export function HighlightedCode({ text, language }: { text: string; language: string | undefined }) {
  const highlight = useSharedState(loaded)
  const shown = showDirectionMarks(text)
  const isColoured = language !== undefined && text.length <= longest
  useEffect(() => {
    if (isColoured) load()
  }, [isColoured])
  const tokens = useMemo(
    () => (isColoured ? highlight?.(shown, language.toLowerCase()) : undefined),
    [highlight, isColoured, shown, language],
  )
  if (!tokens) return shown
  return tokens.map(({ text: part, kind }, at) =>
    kind === undefined || !(kind in colours) ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end
      <span key={at} data-token={kind} style={{ color: colours[kind] }}>
        {part}
      </span>
    ),
  )
}
