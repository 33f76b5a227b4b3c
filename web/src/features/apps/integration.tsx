import type { ApplicationDetail } from '@cairn/sdk'
import { serverAddress } from '../../shared/client.ts'
import { Snippets } from '../../ui/snippets.tsx'
import { snippetsOf } from './snippets.ts'

/** How a client calls as one of the application's users. */
export function Integration({ app: { app_id: appId } }: { app: ApplicationDetail }) {
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
      <Snippets label="The integration" snippets={snippetsOf(serverAddress, appId)} />
    </div>
  )
}
