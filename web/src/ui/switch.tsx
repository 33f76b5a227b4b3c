/** A choice between a few ways to show the same content. */
export function Switch<Name extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly { name: Name; title: string }[]
  value: Name | undefined
  onChange: (name: Name) => void
}) {
  return (
    <fieldset className="flex shrink-0 rounded-md border" aria-label={label}>
      {options.map(({ name, title }) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === value}
          className={`h-6 rounded-md px-2 text-sm ${name === value ? 'bg-selected font-medium' : 'text-fg-2 hover:text-fg'}`}
          onClick={() => onChange(name)}
        >
          {title}
        </button>
      ))}
    </fieldset>
  )
}
