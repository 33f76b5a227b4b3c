import type { VersionComparison } from '@cairn/sdk'
import { Change } from '../../ui/change.tsx'
import { plural } from '../../ui/format.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { fewTraces, type Measure, verdictOf } from './measures.ts'

/** The figures of two versions side by side, with the change from the first to the second. */
export function MeasuresTable({
  comparison: { version_a: a, version_b: b },
  measures,
}: {
  comparison: VersionComparison
  measures: readonly Measure[]
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it sideways too
    <div className="overflow-x-auto" tabIndex={0}>
      <table
        aria-label={`${a.version} and ${b.version}`}
        className="w-full border-t text-right [&_td]:h-8 [&_td]:border-b [&_td]:pl-4 [&_td]:whitespace-nowrap [&_th]:h-8 [&_th]:border-b"
      >
        <thead className="text-sm text-fg-2">
          <tr>
            <th scope="col" className="text-left font-medium">
              Measure
            </th>
            <th scope="col" className="pl-4 font-medium">
              {a.version}
            </th>
            <th scope="col" className="pl-4 font-medium">
              {b.version}
            </th>
            <th scope="col" className="pl-4 font-medium">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {measures.map(({ title, a, b, better, isNoise, format }) => (
            <tr key={title}>
              <th scope="row" className="text-left font-normal">
                {title}
              </th>
              <td className="tabular-nums">{format(a)}</td>
              <td className="tabular-nums">{format(b)}</td>
              <td>
                <Change before={a} now={b} better={better} isNoise={isNoise ?? false} format={format} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A summary in words: where the second version is better or worse, and if it has too few traces. */
export function Verdict({
  comparison: { version_a: a, version_b: b },
  measures,
}: {
  comparison: VersionComparison
  measures: readonly Measure[]
}) {
  const { better, worse, noise } = verdictOf(measures)
  const few = [a, b].filter(({ total_traces }) => total_traces < fewTraces)
  return (
    <ul className="flex flex-col gap-1" aria-label={`${b.version} against ${a.version}`}>
      {better.length > 0 && (
        <li className="flex items-start gap-2">
          <StatusBadge kind="success">Better</StatusBadge>
          <span>{better.join(', ')}</span>
        </li>
      )}
      {worse.length > 0 && (
        <li className="flex items-start gap-2">
          <StatusBadge kind="error">Worse</StatusBadge>
          <span>{worse.join(', ')}</span>
        </li>
      )}
      {noise.length > 0 && (
        <li className="flex items-start gap-2">
          <StatusBadge kind="info">Within noise</StatusBadge>
          <span className="text-fg-2" title="The interval of 95 % of the difference contains 0">
            {noise.join(', ')}
          </span>
        </li>
      )}
      {better.length + worse.length + noise.length === 0 && <li>No measure differs by more than 2 %.</li>}
      {few.map(({ version, total_traces }) => (
        <li key={version}>
          <StatusBadge kind="warning">
            {total_traces === 0
              ? `No trace names ${version}`
              : `${version} has only ${plural(total_traces, 'trace')}`}
          </StatusBadge>
        </li>
      ))}
    </ul>
  )
}
