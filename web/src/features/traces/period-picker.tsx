import { CalendarClock } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { formatTime } from '../../ui/format.ts'
import { Popover } from '../../ui/popover.tsx'
import { type Period, periodNames, periods } from './search.ts'

function titleOf({ period, start_date: start, end_date: end }: Period): string {
  if (period) return periods[period].title
  // What cannot be read as a time is shown as it is; the server says what is wrong with it.
  const text = (at: string) => (Number.isNaN(Date.parse(at)) ? at : formatTime(at))
  if (start && end) return `${text(start)} – ${text(end)}`
  if (start) return `Since ${text(start)}`
  return end ? `Before ${text(end)}` : 'All time'
}

/** For `<input type="datetime-local">`: the reader's own time, without a zone. */
function toLocal(at: string | undefined): string {
  const ms = Date.parse(at ?? '')
  if (Number.isNaN(ms)) return ''
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const fromLocal = (text: string) => (text === '' ? undefined : new Date(text).toISOString())

/** A stretch of time: one that ends now, or any from a time to another. */
export function PeriodPicker({ value, onChange }: { value: Period; onChange: (period: Period) => void }) {
  const [open, setOpen] = useState(false)
  const choose = (period: Period) => {
    setOpen(false)
    onChange(period)
  }
  return (
    <Popover
      label="Period"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className={buttonClass()}>
          <CalendarClock size={14} aria-hidden="true" />
          {titleOf(value)}
        </button>
      }
    >
      <div className="flex flex-col gap-0.5">
        {[undefined, ...periodNames].map((name) => {
          const chosen =
            value.period === name && !(name === undefined && (value.start_date || value.end_date))
          return (
            <button
              key={name ?? 'all'}
              type="button"
              aria-pressed={chosen}
              className={`h-7 rounded-sm px-2 text-left hover:bg-hover ${chosen ? 'bg-selected font-medium' : ''}`}
              onClick={() => choose({ period: name })}
            >
              {name ? periods[name].title : 'All time'}
            </button>
          )
        })}
      </div>
      <OwnPeriod value={value} onChange={choose} />
    </Popover>
  )
}

function OwnPeriod({ value, onChange }: { value: Period; onChange: (period: Period) => void }) {
  const [from, setFrom] = useState(toLocal(value.start_date))
  const [to, setTo] = useState(toLocal(value.end_date))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange({ start_date: fromLocal(from), end_date: fromLocal(to) })
  }
  return (
    <form className="mt-2 flex flex-col gap-2 border-t pt-2" onSubmit={submit}>
      <Field label="From">
        {(ids) => (
          <Input
            {...ids}
            type="datetime-local"
            value={from}
            onChange={({ target }) => setFrom(target.value)}
          />
        )}
      </Field>
      <Field label="To (before)">
        {(ids) => (
          <Input {...ids} type="datetime-local" value={to} onChange={({ target }) => setTo(target.value)} />
        )}
      </Field>
      <Button type="submit" disabled={from === '' && to === ''}>
        Show this period
      </Button>
    </form>
  )
}
