import type { ApplicationDetail } from '@cairn/sdk'
import { useState } from 'react'
import { serverAddress } from '../../client.ts'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { snippetsOf } from './snippets.ts'

/** How a client calls as one of the application's users. */
export function Integration({ app: { app_id: appId } }: { app: ApplicationDetail }) {
  const snippets = snippetsOf(serverAddress, appId)
  const [name, setName] = useState(snippets[0]?.name ?? '')
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <ol className="flex max-w-prose list-decimal flex-col gap-1 pl-5 text-fg-2">
        <li>The user signs in with your identity provider, in your client, which gets an ID token.</li>
        <li>
          The client sends the token straight to this server, beside the application’s id. Your own servers
          must not see or keep it.
        </li>
        <li>With the first call the user gets a private chat of their own, for good.</li>
      </ol>
      <Tabs
        label="Language"
        tabs={snippets.map((snippet) => ({ name: snippet.name, title: snippet.name }))}
        value={name}
        onChange={setName}
      >
        {(chosen) => (
          <CodeBlock
            label={`Integration in ${chosen}`}
            code={snippets.find((snippet) => snippet.name === chosen)?.code ?? ''}
          />
        )}
      </Tabs>
    </div>
  )
}
