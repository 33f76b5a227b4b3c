import type { ApplicationDetail } from '@cairn/sdk'
import { serverAddress } from '../../shared/client.ts'
import { Snippets } from '../../ui/snippets.tsx'
import { snippetsOf } from './snippets.ts'

/** Instructions and code for a client that calls as a user of the application. */
export function Integration({ app: { app_id: appId } }: { app: ApplicationDetail }) {
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <ol className="flex max-w-prose list-decimal flex-col gap-1 pl-5 text-fg-2">
        <li>The user signs in to your client with your identity provider. The client gets an ID token.</li>
        <li>
          The client sends the token and the application’s id straight to this server. Your own servers must
          not see or store the token.
        </li>
        <li>The first call creates a permanent private chat for the user.</li>
      </ol>
      <Snippets label="The integration" snippets={snippetsOf(serverAddress, appId)} />
    </div>
  )
}
