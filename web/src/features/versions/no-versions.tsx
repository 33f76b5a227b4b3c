import type { ReactNode } from 'react'
import { serverAddress } from '../../shared/client.ts'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'

/** The empty state of the list of versions. */
export function NoVersions({ projectId, children }: { projectId: string; children: ReactNode }) {
  return (
    <EmptyState title="No versions yet">
      <p>
        A version is a model with its prompt and settings under a number such as 1.4.0. Traces name their
        version, so that you can compare versions. One version is active; a rollback makes an earlier version
        active again.
      </p>
      <div>{children}</div>
      <p>Or use a terminal, with a key of this project that has the permission write:</p>
      <CodeBlock
        label="Publish a version"
        code={`curl -sS "${serverAddress}/v1/${projectId}/versions" \\
  -H "Authorization: Bearer $CAIRN_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"version": "1.0.0",
       "config": {"model": "gpt-4o-mini", "prompt": "Answer briefly."}}'
`}
      />
    </EmptyState>
  )
}
