import { CalendarRange, ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { formatTime } from '../../ui/format.ts'
import { type Period, type Preset, presetNames, presets } from './period.ts'

export type PeriodChoice = {
  period: Preset | undefined
  start_date: string | undefined
  end_date: string | undefined
}

/** A time as a field for date and time has it: in the reader's zone, to the minute. */
function toField(iso: string): string {
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Which period is shown: one up to now, or from one time to another. */
export function PeriodPicker({ period, onChange }: { period: Period; onChange: (to: PeriodChoice) => void }) {
  const [open, setOpen] = useState(false)
  const choose = (choice: PeriodChoice) => {
    setOpen(false)
    onChange(choice)
  }
  const { start_date: from, end_date: to } = period.span
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button
          type="button"
          className={buttonClass()}
          aria-label={`Period: ${period.title}`}
          title={`${formatTime(from)} to ${formatTime(to)}`}
        >
          <CalendarRange size={14} aria-hidden="true" />
          {period.title}
          <ChevronDown size={12} aria-hidden="true" />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          aria-label="Period"
          className="z-50 flex w-64 flex-col gap-3 rounded-md border bg-raised p-2"
        >
          <ul className="flex flex-col">
            {presetNames.map((name) => (
              <li key={name}>
                <button
                  type="button"
                  aria-pressed={period.preset === name}
                  className="flex h-7 w-full items-center rounded-sm px-2 hover:bg-hover aria-pressed:bg-selected aria-pressed:font-medium"
                  onClick={() => choose({ period: name, start_date: undefined, end_date: undefined })}
                >
                  {presets[name].title}
                </button>
              </li>
            ))}
          </ul>
          <OwnPeriod key={`${from} ${to}`} from={toField(from)} to={toField(to)} onChoose={choose} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function OwnPeriod({
  from: initialFrom,
  to: initialTo,
  onChoose,
}: {
  from: string
  to: string
  onChoose: (choice: PeriodChoice) => void
}) {
  const [from, setFrom] = useState(initialFrom)
  const [to, setTo] = useState(initialTo)
  const wrong = from !== '' && to !== '' && from >= to ? 'The end has to be after the beginning.' : undefined
  return (
    <form
      className="flex flex-col gap-2 border-t p-2 pb-1"
      onSubmit={(event) => {
        event.preventDefault()
        onChoose({
          period: undefined,
          start_date: new Date(from).toISOString(),
          end_date: new Date(to).toISOString(),
        })
      }}
    >
      <Field label="From">
        {(ids) => (
          <Input
            {...ids}
            type="datetime-local"
            required
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
        )}
      </Field>
      <Field label="To" error={wrong}>
        {(ids) => (
          <Input
            {...ids}
            type="datetime-local"
            required
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" disabled={wrong !== undefined}>
        Show this period
      </Button>
    </form>
  )
}
