import type { AuditEntry } from '@cairn/sdk'
import { Button } from '../../ui/button.tsx'
import { CodeBlock, CopyId } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { formatTime } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'

/** One change: time, remote address, changed resource and request body. */
export function AuditDetail({ entry, onOnly }: { entry: AuditEntry; onOnly: () => void }) {
  return (
    <div className="flex flex-col gap-6 p-4">
      <Facts
        facts={[
          { name: 'When', value: formatTime(entry.created_at) },
          { name: 'From', value: entry.remote_address },
          { name: 'Response', value: entry.status ?? 'none' },
        ]}
      />
      <div className="flex flex-wrap items-center gap-3">
        <code className="break-all">{entry.action}</code>
        <Button onClick={onOnly}>Show only this kind</Button>
      </div>
      {Object.keys(entry.params).length > 0 && (
        <Section title="Ids">
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
      <Section title="Request body">
        {entry.body === null ? (
          <p className="text-fg-2">The request had no body.</p>
        ) : (
          <CodeBlock code={JSON.stringify(entry.body, null, 2)} label="Request body" />
        )}
      </Section>
    </div>
  )
}
