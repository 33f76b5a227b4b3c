import type { Key } from '@cairn/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { chatQuery } from '../../shared/queries/chats.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Section } from '../../ui/page.tsx'
import { EmptyNote } from '../../ui/states/empty-state.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Chip } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { CreateKey, chatMeanings } from '../keys/index.ts'
import { chatKeysQuery } from './queries.ts'

/** The keys of a chat; a key itself is shown only once, when it is created. */
export function ChatKeys({ chatId, title }: { chatId: string; title: string }) {
  const { data: keys, error, refetch } = useQuery(chatKeysQuery(chatId))
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<Key>()
  const queryClient = useQueryClient()
  const revoke = async () => {
    if (revoking) await client.console.keys.revoke(revoking.key_id)
    await queryClient.invalidateQueries(chatKeysQuery(chatId))
  }
  return (
    <Section
      title="Keys"
      actions={
        <Button variant="primary" onClick={() => setCreating(true)}>
          New key
        </Button>
      }
    >
      <QueryState
        query={{ data: keys, error, refetch }}
        name="the keys"
        rows={2}
        empty={<EmptyNote>No keys yet. The first key switches API access on.</EmptyNote>}
      >
        {(keys) => (
          <div className="overflow-x-auto rounded-md border">
            <table aria-label="Keys" className="w-full min-w-xl text-left">
              <thead className="bg-surface text-sm text-fg-2">
                <tr>
                  {['Name', 'Ends in', 'Permissions', 'Created'].map((head) => (
                    <th key={head} scope="col" className="h-8 px-3 font-medium">
                      {head}
                    </th>
                  ))}
                  <td />
                </tr>
              </thead>
              <tbody>
                {keys.map((key) => (
                  <tr key={key.key_id} className="border-t">
                    <td className="px-3 font-medium">{key.name}</td>
                    <td className="px-3 font-mono text-sm">…{key.last4}</td>
                    <td className="space-x-1 px-3">
                      {key.permissions.map((permission) => (
                        <Chip key={permission}>{permission}</Chip>
                      ))}
                    </td>
                    <td className="px-3">
                      <Ago at={key.created_at} />
                    </td>
                    <td className="px-2 py-0.5 text-right">
                      <Button
                        variant="ghost"
                        aria-label={`Revoke ${key.name}`}
                        onClick={() => setRevoking(key)}
                      >
                        Revoke…
                      </Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </QueryState>
      {creating && (
        <CreateKey
          title={`New key for ${title}`}
          placeholder="Website"
          meanings={chatMeanings}
          usual={['query', 'read', 'write']}
          create={(request) => client.console.keys.createForChat(chatId, request)}
          onCreated={() => {
            void queryClient.invalidateQueries(chatKeysQuery(chatId))
            void queryClient.invalidateQueries(chatQuery(chatId))
          }}
          onClose={() => setCreating(false)}
        />
      )}
      <ConfirmDialog
        title={`Revoke ${revoking?.name ?? 'the key'}?`}
        consequences={`Calls with the key that ends in ${revoking?.last4} will be rejected. This cannot be undone.`}
        action="Revoke the key"
        open={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        onConfirm={revoke}
      />
    </Section>
  )
}
