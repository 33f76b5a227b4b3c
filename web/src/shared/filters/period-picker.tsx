import { CalendarClock } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { formatTime } from '../../ui/format.ts'
import { Popover } from '../../ui/popover.tsx'
import { type Period, type PeriodName, periodNames, periods } from './periods.ts'

function titleOf({ period, start_date: start, end_date: end }: Period): string {
  if (period) return periods[period].title
  // An invalid time is shown as it is; the server explains what is wrong with it.
  const text = (at: string) => (Number.isNaN(Date.parse(at)) ? at : formatTime(at))
  if (start && end) return `${text(start)} – ${text(end)}`
  if (start) return `Since ${text(start)}`
  return end ? `Before ${text(end)}` : 'All time'
}

/** The value for `<input type="datetime-local">`: local time without a zone. */
function toLocal(at: string | undefined): string {
  const ms = Date.parse(at ?? '')
  if (Number.isNaN(ms)) return ''
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const fromLocal = (text: string) => (text === '' ? undefined : new Date(text).toISOString())

/** Chooses a period: one that ends now, or a custom one. */
export function PeriodPicker({
  value,
  fallback,
  onChange,
}: {
  value: Period
  /** The period shown while none is chosen; without it, all time can be chosen. */
  fallback?: PeriodName | undefined
  onChange: (period: Period) => void
}) {
  const [open, setOpen] = useState(false)
  const isAny = !value.period && !value.start_date && !value.end_date
  const shown = isAny ? { period: fallback } : value
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
        <button type="button" className={buttonClass()} aria-label={`Period: ${titleOf(shown)}`}>
          <CalendarClock size={14} aria-hidden="true" />
          {titleOf(shown)}
        </button>
      }
    >
      <div className="flex flex-col gap-0.5">
        {(fallback ? periodNames : [undefined, ...periodNames]).map((name) => {
          const chosen = name === undefined ? isAny : shown.period === name
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
      <CustomPeriod value={shown} needsStart={fallback !== undefined} onChange={choose} />
    </Popover>
  )
}

function CustomPeriod({
  value: { period, start_date, end_date },
  needsStart,
  onChange,
}: {
  value: Period
  needsStart: boolean
  onChange: (period: Period) => void
}) {
  const begun = period && new Date(Date.now() - periods[period].ms).toISOString()
  const [from, setFrom] = useState(toLocal(begun ?? start_date))
  const [to, setTo] = useState(toLocal(end_date))
  const wrong = from !== '' && to !== '' && from >= to ? '“To” must be after “From”.' : undefined
  const isWhole = from !== '' || (to !== '' && !needsStart)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React events bubble through portals, and must not submit a form around this one.
    event.stopPropagation()
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
      <Field label="To" error={wrong}>
        {(ids) => (
          <Input {...ids} type="datetime-local" value={to} onChange={({ target }) => setTo(target.value)} />
        )}
      </Field>
      <Button type="submit" disabled={wrong !== undefined || !isWhole}>
        Show this period
      </Button>
    </form>
  )
}
