import { isObject } from '@cairn/contract/conversations'
import type { StoredScore } from '@cairn/sdk'
import type { ReactNode } from 'react'
import { CopyId } from '../../../ui/copy-button.tsx'
import { formatCompact, formatCount, formatDuration, formatMoney, formatScore } from '../../../ui/format.ts'
import type { SpanNode } from './tree.ts'

const known = new Set(['prompt_tokens', 'completion_tokens', 'total_tokens'])

/** Times, model, tokens, cost and scores of a span. */
export function SpanFacts({
  node: { span, from, to, selfMs },
  scores,
}: {
  node: SpanNode
  scores: readonly StoredScore[]
}) {
  const { model, token_usage: usage, cost, status, span_id: id } = span
  return (
    <dl className="flex flex-wrap items-center gap-x-4 gap-y-1 text-fg-2">
      {from !== null && to !== null && (
        <>
          <Fact name="Time">{formatDuration(to - from)}</Fact>
          <Fact name="Self time">{formatDuration(selfMs)}</Fact>
          <Fact name="Start">{formatDuration(from)} after the trace</Fact>
        </>
      )}
      {typeof model === 'string' && <Fact name="Model">{model}</Fact>}
      {isObject(usage) && <Fact name="Tokens">{tokensText(usage)}</Fact>}
      {typeof cost === 'number' && <Fact name="Cost">{formatMoney(cost)}</Fact>}
      {typeof status === 'string' && status !== '' && <Fact name="Status">{status}</Fact>}
      {scores.map(({ score_id, name, value }) => (
        <Fact key={score_id} name={name}>
          {formatScore(value)}
        </Fact>
      ))}
      {typeof id === 'string' && id !== '' && (
        <Fact name="Id">
          <CopyId id={id} />
        </Fact>
      )}
    </dl>
  )
}

/** `2,140 → 186`, and other counts such as cached tokens. */
function tokensText(usage: Record<string, unknown>): string {
  const count = (name: string) => (typeof usage[name] === 'number' ? (usage[name] as number) : null)
  const others = Object.entries(usage)
    .filter(([name, value]) => !known.has(name) && typeof value === 'number')
    .slice(0, 8)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${formatCount(value as number)}`)
  const [input, output, total] = [count('prompt_tokens'), count('completion_tokens'), count('total_tokens')]
  const main =
    input === null && output === null
      ? formatCompact(total)
      : `${formatCompact(input)} → ${formatCompact(output)}`
  return [main, ...others].join(', ')
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <dt className="text-fg-3">{name}</dt>
      <dd className="min-w-0 truncate text-fg tabular-nums">{children}</dd>
    </div>
  )
}
