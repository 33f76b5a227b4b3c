import { CodeBlock, CopyButton } from '../../ui/copy-button.tsx'
import { Section } from '../../ui/page.tsx'
import { firstAnswerSteps } from './commands.ts'

/** The commands for a first answer, to copy one by one or all together. */
export function FirstAnswer({ address }: { address: string }) {
  const steps = firstAnswerSteps(address)
  const all = `${steps.map(({ commands }) => commands).join('\n')}\n`
  return (
    <Section
      title="A first cited answer with curl"
      note={
        <p>
          Run these in bash or zsh, in Cairn’s folder. The admin token is in the data folder; with{' '}
          <code>CAIRN_ADMIN_TOKEN</code> set, use its value instead of the file.
        </p>
      }
      actions={
        <CopyButton text={all} label="Copy all commands">
          Copy all
        </CopyButton>
      }
    >
      <ol className="flex max-w-4xl flex-col gap-3">
        {steps.map(({ title, commands }) => (
          <li key={title} className="flex flex-col gap-1">
            <h3 className="font-medium">{title}</h3>
            <CodeBlock code={`${commands}\n`} label={title} />
          </li>
        ))}
      </ol>
      <p className="max-w-prose text-fg-2">
        The answer cites passages as <code>[^0]</code>, which is entry 0 of its <code>context</code>. Every
        answer is also a trace of the project. All endpoints:{' '}
        <a className="link" href="/docs">
          API reference
        </a>
        .
      </p>
    </Section>
  )
}
