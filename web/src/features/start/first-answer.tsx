import './start.css'
import { CopyButton } from '../../ui/copy-button.tsx'
import { firstAnswerSteps } from './commands.ts'

/** The calls that lead to a first answer, ready to copy one by one or together. */
export function FirstAnswer({ address }: { address: string }) {
  const steps = firstAnswerSteps(address)
  const all = `${steps.map(({ commands }) => commands).join('\n')}\n`
  return (
    <section aria-labelledby="start-title">
      <div className="head">
        <h2 id="start-title">From nothing to a cited answer</h2>
        <CopyButton text={all} label="Copy all commands">
          Copy all
        </CopyButton>
      </div>
      <p className="note">
        Run these in bash or zsh, in Cairn’s folder. The admin token is in the data folder; with{' '}
        <code>CAIRN_ADMIN_TOKEN</code> set, use its value instead of the file.
      </p>
      <ol className="steps">
        {steps.map(({ title, commands }) => (
          <li key={title}>
            <div className="step-head">
              <h3>{title}</h3>
              <CopyButton text={`${commands}\n`} label={`Copy: ${title}`} />
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, with the keyboard too */}
            <pre tabIndex={0}>
              <code>{commands}</code>
            </pre>
          </li>
        ))}
      </ol>
      <p className="note">
        The answer cites passages as <code>[^0]</code>: entry 0 of its <code>context</code>. Every answer is
        also a trace of the project. All endpoints: <a href="/docs">API reference</a>.
      </p>
    </section>
  )
}
