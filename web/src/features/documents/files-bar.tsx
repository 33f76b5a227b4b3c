import type { FileList } from '@cairn/sdk'
import type { ReactNode } from 'react'
import { Input } from '../../ui/field.tsx'
import { formatBytes, plural } from '../../ui/format.ts'

/** Search, totals and actions above the list of files. */
export function FilesBar({
  query,
  data,
  onQuery,
  children,
}: {
  query: string | undefined
  data: FileList | undefined
  onQuery: (text: string) => void
  children: ReactNode
}) {
  return (
    <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-3 border-b px-4 py-2">
      <Input
        type="search"
        aria-label="Search the files"
        placeholder="Search by name or scope"
        data-search
        className="max-w-64 max-sm:max-w-none"
        value={query ?? ''}
        onChange={(event) => onQuery(event.target.value)}
      />
      <span className="flex-1 text-fg-3 tabular-nums">
        {data && `${plural(data.total_files, 'file')}, ${formatBytes(data.total_size_bytes)}`}
      </span>
      {children}
    </div>
  )
}
