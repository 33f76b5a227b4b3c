import { useState } from 'react'
import { CodeBlock } from './copy-button.tsx'
import { Tabs } from './tabs.tsx'

/** Program text in one language. */
export interface Snippet {
  language: string
  code: string
}

/** The same code in several languages, one at a time; `label` names it for screen readers. */
export function Snippets({ snippets, label }: { snippets: readonly Snippet[]; label: string }) {
  const [shown, setShown] = useState(snippets[0]?.language ?? '')
  return (
    <div className="max-w-4xl min-w-0">
      <Tabs
        label="Language"
        tabs={snippets.map(({ language }) => ({ name: language, title: language }))}
        value={shown}
        onChange={setShown}
      >
        {(name) => (
          <CodeBlock
            code={snippets.find(({ language }) => language === name)?.code ?? ''}
            label={`${label} in ${name}`}
          />
        )}
      </Tabs>
    </div>
  )
}
