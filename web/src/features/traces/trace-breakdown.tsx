import type { Trace } from '@cairn/sdk'
import { useState } from 'react'
import { Disclosure } from '../../ui/disclosure.tsx'
import { formatCount, formatMoney, none, plural } from '../../ui/format.ts'
import { JsonTree } from '../../ui/json-tree.tsx'
import { recordedCall } from './content/chat.ts'
import { ToolCallView } from './content/tool-call-view.tsx'

const tokenNames: Record<string, string> = {
  prompt_tokens: 'In',
  completion_tokens: 'Out',
  total_tokens: 'Total',
}
const costNames: Record<string, string> = { llm: 'Model', embedding: 'Embedding', reranking: 'Reranking' }
const sources = { client: 'sent with the trace', computed: 'computed from model and tokens' }

/** Tool calls, tokens, cost, attributes and metadata of a trace. */
export function TraceBreakdown({ trace }: { trace: Trace }) {
  const { token_usage: usage, cost, cost_source: source, cost_breakdown: parts, tool_calls: calls } = trace
  const tokens = Object.entries(usage ?? {})
  const costs = Object.entries(parts ?? {}).filter(([, value]) => value != null)
  const attributes = Object.keys(trace.custom_attributes).length
  const metadata = Object.keys(trace.metadata).length
  return (
    <div>
      {calls.length > 0 && (
        <Disclosure title="Tool calls" note={plural(calls.length, 'call')} open>
          <ToolCalls calls={calls} />
        </Disclosure>
      )}
      <Disclosure
        title="Tokens and cost"
        note={`${formatCount(usage?.total_tokens ?? sumOf(usage))} tokens, ${formatMoney(cost)}`}
      >
        <div className="flex flex-wrap gap-x-12 gap-y-3">
          <Figures
            label="Tokens"
            rows={tokens.map(([name, value]) => [
              tokenNames[name] ?? name,
              formatCount(value as number | null),
            ])}
          />
          <Figures
            label="Cost"
            rows={[
              ...costs.map(([name, value]): [string, string] => [
                costNames[name] ?? name,
                formatMoney(value),
              ]),
              ['Total', formatMoney(cost)],
              ...(source ? [['Source', sources[source]] as [string, string]] : []),
            ]}
          />
        </div>
      </Disclosure>
      <Disclosure title="Attributes" note={attributes > 0 ? formatCount(attributes) : 'none'}>
        <JsonTree value={trace.custom_attributes} label="Attributes" />
      </Disclosure>
      <Disclosure title="Metadata" note={metadata > 0 ? formatCount(metadata) : 'none'}>
        <JsonTree value={trace.metadata} label="Metadata" />
      </Disclosure>
    </div>
  )
}

const shownCalls = 20

/** The tool calls that were sent with the trace. */
function ToolCalls({ calls }: { calls: Trace['tool_calls'] }) {
  const [shown, setShown] = useState(shownCalls)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {calls.slice(0, shown).map((call, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
        <ToolCallView key={at} call={recordedCall(call)} />
      ))}
      {calls.length > shown && (
        <button type="button" className="link self-start" onClick={() => setShown(shown + shownCalls)}>
          Show more ({calls.length - shown} left)
        </button>
      )}
    </div>
  )
}

function sumOf(usage: Trace['token_usage']): number | null {
  const { prompt_tokens: prompt, completion_tokens: completion } = usage ?? {}
  return prompt == null && completion == null ? null : (prompt ?? 0) + (completion ?? 0)
}

function Figures({ label, rows }: { label: string; rows: readonly (readonly [string, string])[] }) {
  return (
    <table aria-label={label}>
      <tbody>
        {rows.length === 0 && (
          <tr>
            <td className="text-fg-3">{none}</td>
          </tr>
        )}
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row" className="pr-6 text-left font-normal text-fg-2">
              {name}
            </th>
            <td className="text-right tabular-nums">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
