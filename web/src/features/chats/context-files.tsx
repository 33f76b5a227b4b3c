import type { ChatSettings } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { filesQuery } from '../../shared/queries/chats.ts'
import { Checkbox, Input } from '../../ui/field.tsx'
import { plural } from '../../ui/format.ts'

type Files = ChatSettings['context_files']

/** Chooses the files for answers: all files, including later uploads, or a selection. */
export function ContextFiles({
  chatId,
  value,
  onChange,
}: {
  chatId: string
  value: Files
  onChange: (value: Files) => void
}) {
  const name = useId()
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Files</legend>
      <label className="flex items-start gap-2">
        <input
          type="radio"
          name={name}
          className="mt-[3px] size-3.5 shrink-0 accent-accent"
          checked={value === 'all'}
          onChange={() => onChange('all')}
        />
        All files, including later uploads
      </label>
      <label className="flex items-start gap-2">
        <input
          type="radio"
          name={name}
          className="mt-[3px] size-3.5 shrink-0 accent-accent"
          checked={value !== 'all'}
          onChange={() => value === 'all' && onChange([])}
        />
        Only chosen files
      </label>
      {value !== 'all' && <FileChoice chatId={chatId} value={value} onChange={onChange} />}
    </fieldset>
  )
}

function FileChoice({
  chatId,
  value,
  onChange,
}: {
  chatId: string
  value: readonly string[]
  onChange: (value: string[]) => void
}) {
  const { data } = useQuery(filesQuery(chatId))
  const [search, setSearch] = useState('')
  const files = data?.files ?? []
  const shown = files.filter(({ filename }) => filename.toLowerCase().includes(search.toLowerCase()))
  const gone = value.filter((fileId) => !files.some(({ file_id }) => file_id === fileId))
  const toggle = (fileId: string, isChosen: boolean) =>
    onChange(isChosen ? [...value, fileId] : value.filter((one) => one !== fileId))
  return (
    <div className="ml-5 flex flex-col gap-2 rounded-md border p-2">
      <div className="flex items-center gap-3">
        <Input
          type="search"
          aria-label="Search the files to choose from"
          placeholder="Search by name"
          className="max-w-56"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <span className="text-fg-3">{plural(value.length, 'file')} chosen</span>
      </div>
      {files.length === 0 && <p className="text-fg-3">The chat has no files yet.</p>}
      <ul className="max-h-56 overflow-auto">
        {shown.map(({ file_id, filename }) => (
          <li key={file_id} className="py-0.5">
            <Checkbox
              checked={value.includes(file_id)}
              onChange={(event) => toggle(file_id, event.target.checked)}
            >
              <span className="break-all">{filename}</span>
            </Checkbox>
          </li>
        ))}
        {data &&
          gone.map((fileId) => (
            <li key={fileId} className="py-0.5 text-fg-3">
              <Checkbox checked onChange={() => toggle(fileId, false)}>
                <span className="break-all">{fileId} (deleted)</span>
              </Checkbox>
            </li>
          ))}
      </ul>
    </div>
  )
}
