import type { ScopeValues } from '@cairn/sdk'
import { Chip } from '../../ui/status-badge.tsx'

/** Scope values as `name: value`. */
export function ScopeChips({ values }: { values: ScopeValues }) {
  return Object.entries(values).map(([name, value]) => (
    <span key={name} className="mr-1">
      <Chip title={`${name}: ${value}`}>
        {name}: {String(value)}
      </Chip>
    </span>
  ))
}
