import type { Run } from '@cairn/sdk'
import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import { formatShare, formatTime } from '../../ui/format.ts'
import { runTitle } from './run-badges.tsx'

/** Number of the shown runs on a wide screen, and on a phone. */
const shown = 30
const shownNarrow = 11

/** The pass rates of the latest runs, oldest first, as bars that link to their runs. Runs without answers are gaps. */
export function PassRates({ projectId, runs }: { projectId: string; runs: readonly Run[] }) {
  const latest = runs.slice(0, shown).reverse()
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <figcaption className="text-sm text-fg-3">
        {`Pass rate of the latest ${latest.length === 1 ? 'run' : `${latest.length} runs`}, oldest first`}
      </figcaption>
      <div className="flex min-w-0 gap-2">
        <div
          className="flex h-16 flex-col justify-between text-right text-xs text-fg-3 tabular-nums"
          aria-hidden
        >
          <span>100 %</span>
          <span>0 %</span>
        </div>
        <ol className="flex h-16 min-w-0 items-end overflow-hidden border-y border-l">
          {latest.map((run, at) => (
            <Bar key={run.run_id} projectId={projectId} run={run} wide={at < latest.length - shownNarrow} />
          ))}
        </ol>
      </div>
    </figure>
  )
}

/** The bar of one run; `wide` hides it on a phone. */
function Bar({ projectId, run, wide }: { projectId: string; run: Run; wide: boolean }) {
  const answered = run.passed + run.failed > 0
  const rate = answered ? formatShare(run.pass_rate) : 'no answers'
  const name = `${runTitle(run)}: ${rate}, ${formatTime(run.started_at)}`
  return (
    <li className={clsx('h-full w-6', wide && 'max-md:hidden')}>
      <Link
        to="/projects/$projectId/tests/runs/$runId"
        params={{ projectId, runId: run.run_id }}
        title={name}
        aria-label={name}
        className="flex h-full items-end justify-center hover:bg-hover"
      >
        {answered && (
          <span
            className="w-4 bg-accent"
            style={{ height: `${Math.max(run.pass_rate * 100, 2)}%` }}
            aria-hidden="true"
          />
        )}
      </Link>
    </li>
  )
}
