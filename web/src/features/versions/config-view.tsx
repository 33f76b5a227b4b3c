import type { VersionConfig } from '@cairn/sdk'
import { CodeBlock, CopyButton } from '../../ui/copy-button.tsx'
import { Section } from '../../ui/page.tsx'
import { toText } from './config.ts'

/** The configuration of a version: its settings and its prompt. */
export function ConfigView({ config }: { config: VersionConfig | null }) {
  if (!config || Object.keys(config).length === 0) {
    return (
      <Section title="Configuration">
        <p className="text-fg-3">This version was published without a configuration.</p>
      </Section>
    )
  }
  const { prompt, ...settings } = config
  return (
    <Section
      title="Configuration"
      actions={
        <CopyButton text={toText(config)} label="Copy JSON of the configuration">
          Copy JSON
        </CopyButton>
      }
    >
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        {Object.entries(settings).map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-fg-3">{name}</dt>
            <dd className="font-medium">{String(value)}</dd>
          </div>
        ))}
      </dl>
      {prompt !== undefined && <CodeBlock code={prompt} label="Prompt" wrap />}
    </Section>
  )
}
