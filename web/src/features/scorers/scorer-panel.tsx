import type { Scorer } from '@cairn/sdk'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { formatScore } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { Ago } from '../../ui/time.tsx'
import { DeleteScorer } from './delete-scorer.tsx'
import { ScorerForm } from './scorer-form.tsx'

/** The method or model of a scorer. */
export function methodText({ method, model }: Scorer): string {
  return method === 'local' ? 'Local method' : (model ?? 'Default model')
}

/** The panel of a scorer: its prompt and choices. Scorers of the project can be changed and deleted. */
export function ScorerPanel({
  projectId,
  scorer,
  onClose,
}: {
  projectId: string
  scorer: Scorer
  onClose: () => void
}) {
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  const close = () => setAsked(undefined)
  const { slug, built_in: isBuiltIn, description, prompt, choices, updated_at: changed } = scorer
  return (
    <SidePanel
      narrow
      label={slug}
      onClose={onClose}
      actions={
        !isBuiltIn && (
          <>
            <IconButton label="Edit the scorer" onClick={() => setAsked('edit')}>
              <Pencil size={14} />
            </IconButton>
            <IconButton label="Delete the scorer" onClick={() => setAsked('delete')}>
              <Trash2 size={14} />
            </IconButton>
          </>
        )
      }
    >
      <div className="flex flex-col gap-5 p-4">
        <Facts
          facts={[
            { name: 'Kind', value: isBuiltIn ? 'Built in' : 'Project' },
            { name: 'Scored by', value: methodText(scorer) },
            ...(changed ? [{ name: 'Changed', value: <Ago at={changed} /> }] : []),
          ]}
        />
        {description && <p className="break-words">{description}</p>}
        {prompt !== null && (
          <Section title="Prompt">
            <p className="rounded-md border bg-code p-3 break-words whitespace-pre-wrap">{prompt}</p>
          </Section>
        )}
        {choices && (
          <Section title="Choices">
            <dl className="grid grid-cols-[1fr_max-content] gap-x-6 tabular-nums">
              {Object.entries(choices).map(([name, score]) => (
                <div key={name} className="col-span-2 grid grid-cols-subgrid border-t py-1">
                  <dt className="min-w-0 break-words">{name}</dt>
                  <dd>{formatScore(score)}</dd>
                </div>
              ))}
            </dl>
          </Section>
        )}
      </div>
      {asked === 'edit' && <ScorerForm projectId={projectId} stored={scorer} onClose={close} />}
      {asked === 'delete' && (
        <DeleteScorer projectId={projectId} slug={slug} onClose={close} onDeleted={onClose} />
      )}
    </SidePanel>
  )
}
