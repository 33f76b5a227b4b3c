import { createLazyRoute, Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { tabClass } from '../../ui/tab-class.ts'
import { ScorerForm, Scorers, startBatch } from '../scorers/index.ts'
import { TracePanel } from '../traces/index.ts'
import { Batches } from './batches.tsx'
import { CreateRule } from './create-rule.tsx'
import { Rules } from './rules.tsx'
import { ScoreBar } from './score-bar.tsx'
import { ScoreList } from './score-list.tsx'
import { type ScoreTab, scoreTabs } from './search.ts'

const from = '/signed-in/projects/$projectId/scores'
export const ScoresPage = createLazyRoute(from)({ component: Scores })

const titles: Record<ScoreTab, string> = {
  scores: 'Scores',
  judges: 'Scorers',
  batches: 'Batches',
  rules: 'Rules',
}

/** The screen of scores, scorers, batches and rules. */
function Scores() {
  const { projectId } = useParams({ from })
  const { tab = 'scores', batch, judge, trace, span, ...filters } = useSearch({ from })
  const navigate = useNavigate({ from: '/projects/$projectId/scores' })
  const [asked, setAsked] = useState<'batch' | 'rule' | 'scorer'>()
  const close = () => setAsked(undefined)
  return (
    <Page
      title="Scores"
      fill
      actions={
        tab === 'rules' ? (
          <Button variant="primary" onClick={() => setAsked('rule')}>
            New rule
          </Button>
        ) : tab === 'judges' ? (
          <Button variant="primary" onClick={() => setAsked('scorer')}>
            New scorer
          </Button>
        ) : (
          <Button variant={tab === 'batches' ? 'primary' : 'default'} onClick={() => setAsked('batch')}>
            Score traces
          </Button>
        )
      }
      bar={
        <div className="flex flex-col gap-1.5">
          <nav
            aria-label="Scores"
            className={`-mt-1.5 flex gap-1 overflow-x-auto ${tab === 'scores' ? '' : '-mb-1.5'}`}
          >
            {scoreTabs.map((name) => (
              <Link
                key={name}
                to="/projects/$projectId/scores"
                params={{ projectId }}
                search={name === 'scores' ? {} : { tab: name }}
                className={tabClass(name === tab)}
                {...(name === tab && { 'aria-current': 'page' as const })}
              >
                {titles[name]}
              </Link>
            ))}
          </nav>
          {tab === 'scores' && (
            <ScoreBar
              projectId={projectId}
              filters={filters}
              onChange={(next) => navigate({ search: next })}
            />
          )}
        </div>
      }
    >
      {tab === 'scores' && (
        <ScoreList
          projectId={projectId}
          filters={filters}
          selected={trace}
          onOpen={(next) => navigate({ search: { ...filters, trace: next }, replace: trace !== undefined })}
        />
      )}
      {tab === 'judges' && (
        <Scorers
          projectId={projectId}
          opened={judge}
          onOpen={(next) => navigate({ search: { tab, judge: next }, replace: judge !== undefined })}
        />
      )}
      {tab === 'batches' && (
        <Batches
          projectId={projectId}
          opened={batch}
          onOpen={(next) => navigate({ search: { tab, batch: next }, replace: batch !== undefined })}
          onStart={() => setAsked('batch')}
        />
      )}
      {tab === 'rules' && <Rules projectId={projectId} onCreate={() => setAsked('rule')} />}
      {trace !== undefined && (
        <TracePanel
          key={trace}
          projectId={projectId}
          traceId={trace}
          span={span}
          onSpan={(next) => navigate({ search: { ...filters, trace, span: next }, replace: true })}
          onClose={() => navigate({ search: filters })}
        />
      )}
      {asked === 'batch' && <startBatch.Component projectId={projectId} view={{}} onClose={close} />}
      {asked === 'scorer' && (
        <ScorerForm
          projectId={projectId}
          onClose={close}
          onSaved={(slug) => navigate({ search: { tab: 'judges', judge: slug } })}
        />
      )}
      {asked === 'rule' && <CreateRule projectId={projectId} onClose={close} />}
    </Page>
  )
}
