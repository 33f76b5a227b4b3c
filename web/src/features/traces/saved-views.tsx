import { Bookmark, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { FilterValues } from '../../shared/filters/filters.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useStored } from '../../ui/stored.ts'

interface SavedView {
  name: string
  view: FilterValues
}

const same = (a: FilterValues, b: FilterValues) =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())

/** Named sets of filters of a project, stored in this browser. */
export function SavedViews({
  projectId,
  view,
  onChoose,
}: {
  projectId: string
  view: FilterValues
  onChoose: (view: FilterValues) => void
}) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [saved, setSaved] = useStored<SavedView[]>(`views.${projectId}`, [])
  const current = saved.find((one) => same(one.view, view))
  const save = (event: FormEvent) => {
    event.preventDefault()
    const others = saved.filter((one) => one.name !== name.trim())
    setSaved([...others, { name: name.trim(), view }].sort((a, b) => a.name.localeCompare(b.name)))
    setName('')
    setOpen(false)
  }
  return (
    <Popover
      label="Saved views"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className={buttonClass()}>
          <Bookmark size={14} aria-hidden="true" />
          {current?.name ?? 'Views'}
        </button>
      }
    >
      <ul className="flex flex-col gap-0.5">
        {saved.map((one) => (
          <li key={one.name} className="flex items-center rounded-sm hover:bg-hover">
            <button
              type="button"
              aria-pressed={one === current}
              className={`h-7 min-w-0 flex-1 truncate px-2 text-left ${one === current ? 'font-medium' : ''}`}
              onClick={() => {
                setOpen(false)
                onChoose(one.view)
              }}
            >
              {one.name}
            </button>
            <button
              type="button"
              aria-label={`Delete the view ${one.name}`}
              className="grid size-7 place-items-center text-fg-2 hover:text-fg"
              onClick={() => setSaved(saved.filter((other) => other !== one))}
            >
              <X size={12} aria-hidden="true" />
            </button>
          </li>
        ))}
        {saved.length === 0 && (
          <li className="px-2 text-fg-2">
            No saved views. A view stores filters and period in this browser.
          </li>
        )}
      </ul>
      <form className="mt-2 flex gap-2 border-t pt-2" onSubmit={save}>
        <Input
          aria-label="View name"
          placeholder="Name of this view"
          value={name}
          maxLength={60}
          onChange={({ target }) => setName(target.value)}
        />
        <Button type="submit" disabled={name.trim() === ''}>
          Save
        </Button>
      </form>
    </Popover>
  )
}
