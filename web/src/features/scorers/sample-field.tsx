import { Field, Input } from '../../ui/field.tsx'

/** The percentage of traces to score. */
export function SampleField({
  value,
  onChange,
  hint,
}: {
  value: string
  onChange: (percent: string) => void
  hint?: string
}) {
  return (
    <Field label="Sample, %" hint={hint} className="w-40">
      {(ids) => (
        <Input
          {...ids}
          type="number"
          min={0}
          max={100}
          step="any"
          required
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}
