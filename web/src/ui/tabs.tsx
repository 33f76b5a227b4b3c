import { Tabs as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { tabClass } from './tab-class.ts'

/** Views of one subject without addresses of their own; for views with addresses see `TabLinks`. */
export function Tabs<Name extends string>({
  label,
  tabs,
  value,
  onChange,
  children,
}: {
  label: string
  tabs: readonly { name: Name; title: ReactNode }[]
  value: Name
  onChange: (name: Name) => void
  children: (name: Name) => ReactNode
}) {
  return (
    <Primitive.Root value={value} onValueChange={(name) => onChange(name as Name)}>
      <Primitive.List aria-label={label} className="flex gap-1 overflow-x-auto border-b">
        {tabs.map(({ name, title }) => (
          <Primitive.Trigger key={name} value={name} className={tabClass(name === value)}>
            {title}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      <Primitive.Content value={value} className="pt-3">
        {children(value)}
      </Primitive.Content>
    </Primitive.Root>
  )
}
