import type { ReactNode } from 'react'

/** The place of a list that has no entries: what belongs there, and a way to the first entry. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="m-auto flex w-full max-w-xl flex-col items-start gap-3 p-6">
      <h2 className="text-lg font-semibold">{title}</h2>
      <div className="flex w-full min-w-0 flex-col gap-3 text-fg-2 [&>:is(a,button)]:self-start">
        {children}
      </div>
    </div>
  )
}

/** The same in one sentence, inside a section that has a heading of its own. */
export function EmptyNote({ children }: { children: ReactNode }) {
  return <p className="text-fg-2">{children}</p>
}
