import { serverAddress } from '../../client.ts'
import { CodeBlock } from '../../ui/copy-button.tsx'

/** The call that records a trace in a project, ready to be run with a key of it. */
function recordTraceCommand(projectId: string): string {
  return `curl -sS "${serverAddress}/v1/${projectId}/traces" \\
  -H "Authorization: Bearer $CAIRN_KEY" -H "Content-Type: application/json" \\
  -d '{"input": "How long is the warranty?", "output": "Two years.", "model": "gpt-4o-mini",
       "latency_ms": 812, "token_usage": {"prompt_tokens": 240, "completion_tokens": 12}}'
`
}

export function RecordTrace({ projectId }: { projectId: string }) {
  return (
    <>
      <p>
        <code>CAIRN_KEY</code> is a key of this project (<code>tk_…</code>), which its settings create.
      </p>
      <CodeBlock code={recordTraceCommand(projectId)} label="Record a trace" />
    </>
  )
}
