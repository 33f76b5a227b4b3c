import { plural } from '../../../ui/format.ts'
import { JsonTree } from '../../../ui/json-tree.tsx'
import type { ToolDefinition } from './tool-definitions.ts'

const mostShown = 100

/** The tools that a model may call, collapsed. */
export function ToolList({ tools }: { tools: readonly ToolDefinition[] }) {
  return (
    <details className="min-w-0 rounded-md border px-2 py-1">
      <summary className="rounded-sm">
        <span className="font-medium">{plural(tools.length, 'tool')}</span>{' '}
        <bdi className="text-fg-2">
          {tools
            .slice(0, 5)
            .map(({ name }) => name)
            .join(', ')}
          {tools.length > 5 && ', …'}
        </bdi>
      </summary>
      <ul aria-label="Tools" className="flex flex-col gap-2 py-2">
        {tools.slice(0, mostShown).map(({ name, description, parameters }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
          <li key={at} className="min-w-0 border-t pt-2">
            <p className="font-mono text-sm font-medium">
              <bdi>{name}</bdi>
            </p>
            {description && (
              <p dir="auto" className="wrap-anywhere whitespace-pre-wrap text-fg-2">
                {description.slice(0, 4000)}
              </p>
            )}
            {parameters !== undefined && (
              <JsonTree value={parameters} label={`Parameters of ${name}`} depth={0} />
            )}
          </li>
        ))}
        {tools.length > mostShown && (
          <li className="text-fg-2">{plural(tools.length - mostShown, 'further tool')}, see JSON</li>
        )}
      </ul>
    </details>
  )
}
