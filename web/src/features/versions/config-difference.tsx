import type { VersionConfig } from '@cairn/sdk'
import { none } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { WordDiff } from '../../ui/word-diff.tsx'

const settings = ['model', 'temperature', 'max_tokens'] as const

interface Configured {
  version: string
  config: VersionConfig | null
}

/** The differences between two configurations; the prompts are compared word by word. */
export function ConfigDifference({ a, b }: { a: Configured; b: Configured }) {
  const changed = settings.filter((name) => a.config?.[name] !== b.config?.[name])
  const samePrompt = a.config?.prompt === b.config?.prompt
  return (
    <Section title="Configuration">
      {changed.length === 0 && samePrompt && <p className="text-fg-2">Both have the same configuration.</p>}
      {changed.length > 0 && (
        <table
          aria-label="Settings"
          className="max-w-3xl border-t text-left [&_td]:h-8 [&_td]:border-b [&_td]:pr-6 [&_th]:h-8 [&_th]:border-b [&_th]:pr-6"
        >
          <thead className="text-sm text-fg-2">
            <tr>
              <th scope="col" className="font-medium">
                Setting
              </th>
              <th scope="col" className="font-medium">
                {a.version}
              </th>
              <th scope="col" className="font-medium">
                {b.version}
              </th>
            </tr>
          </thead>
          <tbody>
            {changed.map((name) => (
              <tr key={name}>
                <th scope="row" className="font-normal">
                  {name}
                </th>
                <td>
                  <del className="text-error">{a.config?.[name] ?? none}</del>
                </td>
                <td>
                  <ins className="text-success">{b.config?.[name] ?? none}</ins>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!samePrompt && (
        <WordDiff
          before={a.config?.prompt ?? ''}
          after={b.config?.prompt ?? ''}
          beforeTitle={`Prompt of ${a.version}`}
          afterTitle={`Prompt of ${b.version}`}
        />
      )}
    </Section>
  )
}
