import { useState } from 'react'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type Language, languages, type SnippetRequest, snippetOf } from './snippets.ts'

const tabs = languages.map((name) => ({ name, title: name }))

/** A request as text for a shell, TypeScript and Python. */
export function CodeSnippets({ request }: { request: SnippetRequest }) {
  const [language, setLanguage] = useState<Language>('curl')
  return (
    <div className="max-w-4xl min-w-0">
      <Tabs label="Language" tabs={tabs} value={language} onChange={setLanguage}>
        {(name) => <CodeBlock code={snippetOf(name, request)} label={`${name} of the request`} />}
      </Tabs>
    </div>
  )
}
