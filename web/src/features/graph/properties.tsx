import { CopyId } from '../../ui/copy-button.tsx'
import { formatBytes, formatTime } from '../../ui/format.ts'

/** All stored properties of a node or relationship. */
export function Properties({
  values,
  without,
}: {
  values: Record<string, unknown>
  without: readonly string[]
}) {
  const entries = Object.entries(values).filter(([name]) => !without.includes(name))
  return (
    <section aria-label="Properties" className="flex flex-col gap-2">
      <h3 className="font-semibold">Properties</h3>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        {entries.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-fg-2">{name}</dt>
            <dd className="min-w-0 break-words">
              <Value name={name} value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Value({ name, value }: { name: string; value: unknown }) {
  if (name === 'id') return <CopyId id={String(value)} />
  if (name === 'uploadDate' && typeof value === 'number') return formatTime(value)
  if (name === 'sizeBytes' && typeof value === 'number') return formatBytes(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
