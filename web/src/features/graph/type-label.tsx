import type { RelationshipType } from '@cairn/sdk'
import clsx from 'clsx'
import { typeColours } from './palette.ts'

/** The name of a relationship type with its colour. */
export function TypeLabel({ type, faint }: { type: RelationshipType; faint?: boolean }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span
        aria-hidden="true"
        data-mark
        className={clsx('h-[3px] w-3 rounded-sm', faint && 'opacity-30')}
        style={{ background: `var(${typeColours[type]})` }}
      />
      {type}
    </span>
  )
}
