import { createLazyRoute } from '@tanstack/react-router'
import { serverAddress } from '../../shared/client.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Page } from '../../ui/page.tsx'
import { FirstAnswer } from './first-answer.tsx'
import { HealthPanel } from './health-panel.tsx'
import { ProcessFacts } from './process-facts.tsx'
import { ServerTabs } from './server-tabs.tsx'
import { useHealth } from './use-health.ts'

export const ServerPage = createLazyRoute('/signed-in/server')({ component: ServerOverview })

/** The screen with the health of the server and first commands. */
function ServerOverview() {
  const health = useHealth()
  return (
    <Page
      title="Server"
      actions={
        <>
          <code className="text-fg-2">{serverAddress}</code>
          <CopyButton text={serverAddress} label="Copy the server's address" />
        </>
      }
      bar={<ServerTabs current="health" />}
    >
      <HealthPanel {...health} />
      <ProcessFacts />
      <FirstAnswer address={serverAddress} />
    </Page>
  )
}
