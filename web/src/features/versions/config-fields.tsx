import { Field, Input, Textarea } from '../../ui/field.tsx'
import type { ConfigDraft } from './config.ts'

/** The fields of a configuration; the prompt is edited as text with its line breaks. */
export function ConfigFields({
  draft,
  problem,
  onChange,
}: {
  draft: ConfigDraft
  /** The message of a wrong field; it begins with the name of the field. */
  problem: string | undefined
  onChange: (draft: ConfigDraft) => void
}) {
  const field = (name: keyof ConfigDraft) => ({
    value: draft[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...draft, [name]: target.value }),
  })
  const errorOf = (name: keyof ConfigDraft) => (problem?.startsWith(name) ? problem : undefined)
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[1fr_120px_120px]">
        <Field label="Model" error={errorOf('model')}>
          {(ids) => <Input {...ids} autoComplete="off" {...field('model')} />}
        </Field>
        <Field label="Temperature" error={errorOf('temperature')}>
          {(ids) => <Input {...ids} inputMode="decimal" autoComplete="off" {...field('temperature')} />}
        </Field>
        <Field label="Max tokens" error={errorOf('max_tokens')}>
          {(ids) => <Input {...ids} inputMode="numeric" autoComplete="off" {...field('max_tokens')} />}
        </Field>
      </div>
      <Field label="Prompt" hint="Empty fields are left out of the configuration." error={errorOf('prompt')}>
        {(ids) => <Textarea {...ids} dir="auto" className="h-44 sm:h-56" {...field('prompt')} />}
      </Field>
    </>
  )
}
