import type { ReactNode } from 'react'

export interface Fact {
  name: string
  value: ReactNode
}

/** What a thing is, as one line of names and values; it breaks where there is no room. */
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
