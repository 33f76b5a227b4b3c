import type { AuditEntry } from '@cairn/sdk'
import { Button } from '../../ui/button.tsx'
import { CodeBlock, CopyId } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { formatTime } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'

/** One change: when, from where, of what, and what was sent. */
export function AuditDetail({ entry, onOnly }: { entry: AuditEntry; onOnly: () => void }) {
  return (
    <div className="flex flex-col gap-6 p-4">
      <Facts
        facts={[
          { name: 'When', value: formatTime(entry.created_at) },
          { name: 'From', value: entry.remote_address },
          { name: 'Answer', value: entry.status ?? 'none' },
        ]}
      />
      <div className="flex flex-wrap items-center gap-3">
        <code className="break-all">{entry.action}</code>
        <Button onClick={onOnly}>Only this kind</Button>
      </div>
      {Object.keys(entry.params).length > 0 && (
        <Section title="Of">
          <dl className="grid grid-cols-[auto_1fr] gap-x-4">
            {Object.entries(entry.params).map(([name, id]) => (
              <div key={name} className="contents">
                <dt className="text-fg-3">{name}</dt>
                <dd>
                  <CopyId id={id} />
                </dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
      <Section title="What was sent">
        {entry.body === null ? (
          <p className="text-fg-2">Nothing: the call had no body.</p>
        ) : (
          <CodeBlock code={JSON.stringify(entry.body, null, 2)} label="What was sent" />
        )}
      </Section>
    </div>
  )
}
