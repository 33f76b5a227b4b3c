import type { Key } from '@cairn/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, serverAddress } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Section } from '../../ui/page.tsx'
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { Snippets } from '../../ui/snippets.tsx'
import { EmptyNote } from '../../ui/states/empty-state.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Chip } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { CreateKey, projectMeanings } from '../keys/index.ts'
import { keysQuery } from './queries.ts'
import { keySnippets } from './snippets.ts'

const columnsOf = (revoke: (key: Key) => void): readonly PlainColumn<Key>[] => [
  { id: 'name', title: 'Name', wrap: true, cell: ({ name }) => <span className="font-medium">{name}</span> },
  { id: 'key', title: 'Key', cell: ({ last4 }) => <code className="text-fg-2">{`tk_…${last4}`}</code> },
  {
    id: 'permissions',
    title: 'Permissions',
    wrap: true,
    cell: ({ permissions }) => (
      <span className="flex flex-wrap gap-1">
        {permissions.map((one) => (
          <Chip key={one} title={projectMeanings[one]}>
            {one}
          </Chip>
        ))}
      </span>
    ),
  },
  { id: 'created', title: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
  {
    id: 'revoke',
    title: 'Actions',
    quiet: true,
    align: 'right',
    cell: (key) => (
      <RowButton of={key.name} onClick={() => revoke(key)}>
        Revoke…
      </RowButton>
    ),
  },
]

/** The API keys of a project. */
export default function Keys({ projectId }: { projectId: string }) {
  const { data: keys, error, refetch } = useQuery(keysQuery(projectId))
  const [creating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<Key>()
  const queryClient = useQueryClient()
  const again = () => queryClient.invalidateQueries({ queryKey: keysQuery(projectId).queryKey })
  return (
    <Section
      title="Keys"
      note="Applications use a key to call the API of this project. The server stores only a hash, so a key is shown once, when it is created."
      actions={
        <Button variant="primary" onClick={() => setCreating(true)}>
          New key
        </Button>
      }
    >
      <QueryState
        query={{ data: keys, error, refetch }}
        name="the keys"
        rows={3}
        empty={
          <EmptyNote>
            No keys yet. Create one for each application, so that you can revoke each separately.
          </EmptyNote>
        }
      >
        {(keys) => (
          <PlainTable
            label="Keys"
            columns={columnsOf(setRevoked)}
            rows={keys}
            rowKey={({ key_id }) => key_id}
          />
        )}
      </QueryState>
      {creating && (
        <CreateKey
          title="New key"
          placeholder="Production"
          meanings={projectMeanings}
          usual={['ingest', 'read', 'write']}
          create={(request) => client.console.keys.createForProject(projectId, request)}
          onCreated={again}
          onClose={() => setCreating(false)}
        >
          {({ api_key: key, permissions }) =>
            permissions.includes('ingest') && (
              <div className="flex flex-col gap-2">
                <h3 className="font-semibold">Send a first trace with this key</h3>
                <Snippets label="A first trace" snippets={keySnippets(serverAddress, projectId, key)} />
              </div>
            )
          }
        </CreateKey>
      )}
      <ConfirmDialog
        title="Revoke the key?"
        consequences={`“${revoked?.name}” (tk_…${revoked?.last4}) will be rejected in every application that uses it. This cannot be undone.`}
        action="Revoke key"
        open={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        onConfirm={async () => {
          if (revoked) await client.console.keys.revoke(revoked.key_id)
          await again()
        }}
      />
    </Section>
  )
}
