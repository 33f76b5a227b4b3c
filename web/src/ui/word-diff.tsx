import { diffWordsWithSpace } from 'diff'
import { type ReactNode, useMemo } from 'react'

/** Longer comparisons are given up, and both texts stand as they are. */
const limitMs = 300

interface Part {
  text: string
  changed: boolean
}

/** Texts that share fewer of their letters than this are two texts, not one that was changed: marks would only be noise. */
const leastShared = 0.2

/** Both texts in parts, those that the other one does not have marked; whole where marks would say nothing. */
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

/** Two texts side by side; words that only one of them has are struck out on the left and underlined on the right. */
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
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
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
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
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
