import { serverAddress } from '../../client.ts'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { Empty } from '../../ui/page.tsx'

const example = (projectId: string) => `KEY='a key of this project'
curl ${serverAddress}/v1/${projectId}/traces \\
  -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "input": "When does the library open?",
    "output": "At nine.",
    "model": "gpt-4o-mini",
    "latency_ms": 812,
    "token_usage": { "prompt_tokens": 120, "completion_tokens": 8 }
  }'`

/** In the place of a list without rows. */
export function NoTraces({ projectId, filtered }: { projectId: string; filtered: boolean }) {
  if (filtered) {
    return (
      <Empty title="No trace meets these filters">
        <p>Take one away above, or choose a longer period.</p>
      </Empty>
    )
  }
  return (
    <Empty title="No traces yet">
      <p>
        A trace is one call of a model: what went in, what came out, how long it took and what it cost, with
        the steps in between. Answers of this project’s chats are traces too. This records one:
      </p>
      <CodeBlock code={example(projectId)} label="the command that records a trace" />
      <p>
        The key is made in the settings of the project. With the live tail on, the trace is here as it comes
        in.
      </p>
    </Empty>
  )
}
