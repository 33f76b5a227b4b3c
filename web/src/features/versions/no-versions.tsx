import type { ReactNode } from 'react'
import { serverAddress } from '../../shared/client.ts'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'

/** What versions are for, and the two ways to a first one. */
export function NoVersions({ projectId, children }: { projectId: string; children: ReactNode }) {
  return (
    <EmptyState title="No versions yet">
      <p>
        A version is a model with its prompt and settings under a number such as 1.4.0. Traces that name it
        are counted for it, so that two can be compared before one of them is trusted. One version is active;
        rolling back makes an earlier one active again.
      </p>
      <div>{children}</div>
      <p>Or from a terminal, with a key of this project that may write:</p>
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
