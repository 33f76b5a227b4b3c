import type { StoredFile } from '@cairn/sdk'
import { CopyId } from '../../ui/copy-button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { formatBytes, formatCount } from '../../ui/format.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { fileType } from './file-type.ts'
import { ScopeChips } from './scope-chips.tsx'

const columns: readonly Column<StoredFile>[] = [
  {
    id: 'name',
    title: 'Name',
    width: 260,
    grow: true,
    cell: ({ filename }) => (
      <span className="font-medium" title={filename}>
        {filename}
      </span>
    ),
  },
  { id: 'type', title: 'Type', width: 72, cell: ({ filename }) => fileType(filename) },
  {
    id: 'status',
    title: 'Status',
    width: 124,
    cell: () => <StatusBadge kind="success">Searchable</StatusBadge>,
  },
  {
    id: 'size',
    title: 'Size',
    width: 84,
    align: 'right',
    cell: ({ size_bytes: size }) => <span title={`${formatCount(size)} bytes`}>{formatBytes(size)}</span>,
  },
  {
    id: 'chunks',
    title: 'Chunks',
    width: 76,
    align: 'right',
    cell: ({ chunk_count: count }) => formatCount(count),
  },
  { id: 'pages', title: 'Pages', width: 72, align: 'right', cell: ({ pages }) => formatCount(pages) },
  {
    id: 'scopes',
    title: 'Scope values',
    width: 200,
    cell: ({ scope_values: values }) => <ScopeChips values={values} />,
  },
  { id: 'uploaded', title: 'Uploaded', width: 116, cell: ({ upload_date }) => <Ago at={upload_date} /> },
  { id: 'id', title: 'Id', width: 280, hidden: true, cell: ({ file_id }) => <CopyId id={file_id} /> },
]

/** Whether the name and the scope values of a file contain every word of the search. */
function fits({ filename, scope_values: values }: StoredFile, query: string): boolean {
  const scopes = Object.entries(values).map(([name, value]) => `${name}:${value} ${name}: ${value}`)
  const text = `${filename} ${scopes.join(' ')}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

export function FileTable({
  files,
  query = '',
  selected,
  onOpen,
}: {
  files: readonly StoredFile[]
  query: string | undefined
  selected: string | undefined
  onOpen: (fileId: string) => void
}) {
  const found = files.filter((file) => fits(file, query))
  return (
    <DataTable
      name="files"
      label="Files"
      columns={columns}
      rows={found}
      rowKey={({ file_id }) => file_id}
      total={found.length}
      selected={selected}
      onOpen={({ file_id }) => onOpen(file_id)}
      footer={found.length === 0 && files.length > 0 && 'No file contains all these words.'}
    />
  )
}
