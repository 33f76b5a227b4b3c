import type { ReactNode } from 'react'

export interface Fact {
  name: string
  value: ReactNode
}

/** Names and values in one line, which wraps on narrow screens. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-2">
      {facts.map(({ name, value }) => (
        <div key={name} className="flex min-w-0 flex-col">
          <dt className="text-sm text-fg-3">{name}</dt>
          <dd className="min-w-0 truncate tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
