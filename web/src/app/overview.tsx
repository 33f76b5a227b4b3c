import { serverAddress } from '../client.ts'
import { HealthPanel } from '../features/health/health-panel.tsx'
import { useHealth } from '../features/health/use-health.ts'
import { FirstAnswer } from '../features/start/first-answer.tsx'
import { Shell } from './shell.tsx'

/** The first page: how the server is, and how to get a first answer out of it. */
export function Overview() {
  const health = useHealth()
  return (
    <Shell title="Overview">
      <HealthPanel {...health} />
      <FirstAnswer address={serverAddress} />
    </Shell>
  )
}
