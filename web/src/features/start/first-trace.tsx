import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { Snippets } from '../../ui/snippets.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { sampleTrace } from './sample.ts'
import { firstTraceSnippets } from './snippets.ts'

const pollMs = 2000

/** Code that records a first trace, and a link to the trace once it has arrived. */
export function FirstTrace({ projectId }: { projectId: string }) {
  const makeKey = useMutation({
    mutationFn: () =>
      client.console.keys.createForProject(projectId, { name: 'First trace', permissions: ['ingest'] }),
  })
  const record = useMutation({ mutationFn: () => client.traces.create(projectId, sampleTrace) })
  const newest = useQuery({
    queryKey: ['projects', projectId, 'first-trace'],
    queryFn: async ({ signal }) => {
      const { traces } = await client.traces.page(projectId, { limit: 1 }, { signal })
      return traces[0] ?? null
    },
    refetchInterval: ({ state }) => (state.data ? false : pollMs),
  })
  return (
    <div className="flex w-full min-w-0 flex-col items-start gap-3">
      <div className="w-full min-w-0">
        <Snippets label="A first trace" snippets={firstTraceSnippets(projectId, makeKey.data?.api_key)} />
      </div>
      {makeKey.data ? (
        <p>
          The key in the code can only record traces. It is shown only once; you can revoke it in the
          settings.
        </p>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button busy={makeKey.isPending && 'Creating a key…'} onClick={() => makeKey.mutate()}>
            Create a key for the code
          </Button>
          <Button variant="ghost" busy={record.isPending && 'Recording…'} onClick={() => record.mutate()}>
            Record this trace now
          </Button>
        </div>
      )}
      {makeKey.error && <ErrorNotice error={makeKey.error} />}
      {record.error && <ErrorNotice error={record.error} />}
      <p aria-live="polite">
        {newest.data ? (
          <>
            <StatusBadge kind="success">The first trace has arrived.</StatusBadge>{' '}
            <Link
              to="/projects/$projectId/traces/$traceId"
              params={{ projectId, traceId: newest.data.trace_id }}
              className="link"
            >
              Open it
            </Link>
          </>
        ) : (
          <StatusBadge kind="running">Waiting for the first trace…</StatusBadge>
        )}
      </p>
    </div>
  )
}
