import { diffWordsWithSpace } from 'diff'
import { type ReactNode, useMemo } from 'react'

/** Comparisons that take longer are abandoned, and both texts are shown without highlights. */
const limitMs = 300

interface Part {
  text: string
  changed: boolean
}

/** Texts with a smaller share of common characters are unrelated, and highlights would only distract. */
const leastShared = 0.2

/** Splits both texts into parts; `changed` parts are missing in the other text. Unrelated texts stay whole. */
function compareWords(before: string, after: string): { before: Part[]; after: Part[] } {
  const changes = diffWordsWithSpace(before, after, { timeout: limitMs }) ?? []
  const kept = changes.filter(({ added, removed }) => !added && !removed)
  const shared = kept.reduce((sum, { value }) => sum + value.trim().length, 0)
  if (shared < leastShared * Math.min(before.length, after.length)) {
    return { before: [{ text: before, changed: false }], after: [{ text: after, changed: false }] }
  }
  return {
    before: changes
      .filter(({ added }) => !added)
      .map(({ value, removed }) => ({ text: value, changed: removed })),
    after: changes
      .filter(({ removed }) => !removed)
      .map(({ value, added }) => ({ text: value, changed: added })),
  }
}

/** Two texts side by side; removed words are struck out on the left, added words are underlined on the right. */
export function WordDiff({
  before,
  after,
  beforeTitle,
  afterTitle,
}: {
  before: string
  after: string
  beforeTitle: string
  afterTitle: string
}) {
  const parts = useMemo(() => compareWords(before, after), [before, after])
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <Side title={beforeTitle} empty={before === ''}>
        {parts.before.map(({ text, changed }, at) =>
          changed ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
            <del key={at} className="bg-error-surface text-error decoration-error">
              {text}
            </del>
          ) : (
            text
          ),
        )}
      </Side>
      <Side title={afterTitle} empty={after === ''}>
        {parts.after.map(({ text, changed }, at) =>
          changed ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
            <ins key={at} className="bg-success-surface text-success underline underline-offset-2">
              {text}
            </ins>
          ) : (
            text
          ),
        )}
      </Side>
    </div>
  )
}

function Side({ title, empty, children }: { title: string; empty: boolean; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1">
      <h3 className="text-sm text-fg-3">{title}</h3>
      <div className="rounded-md border bg-code p-3 break-words whitespace-pre-wrap">
        {empty ? <span className="text-fg-3">Nothing</span> : children}
      </div>
    </section>
  )
}
