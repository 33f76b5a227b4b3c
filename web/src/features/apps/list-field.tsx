import type { ReactNode } from 'react'
import { Field, Textarea } from '../../ui/field.tsx'

/** The distinct lines of a text that are not blank. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
}

/** A field for a list with one entry per line. */
export function ListField({
  label,
  hint,
  error,
  text,
  onText,
  placeholder,
}: {
  label: string
  hint: ReactNode
  error: string | undefined
  text: string
  onText: (text: string) => void
  placeholder?: string
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <Textarea
          {...ids}
          rows={3}
          className="font-mono text-sm"
          spellCheck={false}
          placeholder={placeholder}
          value={text}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </Field>
  )
}
