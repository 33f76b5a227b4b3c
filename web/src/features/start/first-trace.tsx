import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client, serverAddress } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { sampleTrace } from './sample.ts'

const pollMs = 2000

function command(projectId: string, key: string): string {
  return `curl -sS "${serverAddress}/v1/${projectId}/traces" \\
  -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" \\
  -d '${JSON.stringify(sampleTrace, null, 2)}'
`
}

/** The command that records a trace with this project's key, and the trace as soon as it is there. */
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
        <CodeBlock
          code={command(projectId, makeKey.data?.api_key ?? '$CAIRN_API_KEY')}
          label="the command that records a trace"
        />
      </div>
      {makeKey.data ? (
        <p>
          The key in the command may record traces and nothing else. It is shown this once; you can revoke it
          in the settings.
        </p>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button busy={makeKey.isPending && 'Making a key…'} onClick={() => makeKey.mutate()}>
            Make a key and put it in
          </Button>
          <Button variant="ghost" busy={record.isPending && 'Recording…'} onClick={() => record.mutate()}>
            Record this one from here
          </Button>
        </div>
      )}
      {makeKey.error && <ErrorNotice error={makeKey.error} />}
      {record.error && <ErrorNotice error={record.error} />}
      <p aria-live="polite">
        {newest.data ? (
          <>
            <StatusBadge kind="success">The first trace is here.</StatusBadge>{' '}
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
