import { Square } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { formatCount, formatDuration } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { ScopeChips } from '../documents/index.ts'
import { AnswerRating } from './answer-rating.tsx'
import { AnswerText } from './answer-text.tsx'
import { stopAnswer } from './ask.ts'
import type { OpenPassage } from './citation-mark.tsx'
import { ContextList } from './context-list.tsx'
import type { Turn } from './conversation.ts'
import { RequestCode } from './request-code.tsx'

/** Indexes of the passages that an answer cites. */
export function citedIn(answer: string): Set<number> {
  return new Set([...answer.matchAll(/\[\^(\d+)\]/g)].map(([, index]) => Number(index)))
}

/** A question with its answer, sources, usage and time. */
export function TurnView({
  turn,
  chatId,
  onOpen,
  onRetry,
}: {
  turn: Turn
  chatId: string
  onOpen: OpenPassage
  onRetry: () => void
}) {
  const { request, state, context, error, requestId } = turn
  const isUnderWay = state === 'waiting' || state === 'streaming'
  // An incomplete citation at the end of the stream is hidden.
  const answer = isUnderWay ? turn.answer.replace(/\[(?:\^\d*)?$/, '') : turn.answer
  return (
    <article aria-label={request.question} className="flex flex-col gap-3 border-b pb-5 last:border-b-0">
      <h2 className="max-w-prose font-semibold break-words whitespace-pre-wrap">{request.question}</h2>
      {request.scope_filters && (
        <p className="text-sm text-fg-2">
          Only files with <ScopeChips values={request.scope_filters} />
        </p>
      )}
      {answer === '' && isUnderWay && <Waiting isReading={state === 'streaming'} />}
      {answer !== '' && <AnswerText text={answer} context={context ?? []} onOpen={onOpen} />}
      {state === 'failed' && (
        <ErrorNotice
          error={new Error(error)}
          requestId={requestId}
          title="The question could not be answered"
          retry={onRetry}
        />
      )}
      {state === 'stopped' && (
        <StatusBadge kind="warning">Stopped before the answer was complete</StatusBadge>
      )}
      {isUnderWay ? (
        <Button className="self-start" onClick={() => stopAnswer(turn.id)}>
          <Square size={12} aria-hidden="true" /> Stop
        </Button>
      ) : (
        <>
          {context && context.length > 0 && (
            <ContextList context={context} cited={citedIn(answer)} onOpen={onOpen} />
          )}
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-fg-3">
            <TurnFacts turn={turn} />
            <span className="ml-auto flex">
              {turn.answer_id !== undefined && (
                <AnswerRating turn={turn} answerId={turn.answer_id} chatId={chatId} />
              )}
              {answer !== '' && <CopyButton text={answer} label="Copy the answer" />}
              <RequestCode turn={turn} chatId={chatId} />
            </span>
          </div>
        </>
      )}
    </article>
  )
}

function Waiting({ isReading }: { isReading: boolean }) {
  return (
    <div className="flex max-w-prose flex-col gap-2">
      <p className="text-fg-3">{isReading ? 'Passages found. Writing the answer' : 'Searching the files'}</p>
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  )
}

/** Model, tokens, credits and time, as far as they are known. */
function TurnFacts({ turn: { model, usage, tookMs, firstMs, isDraft } }: { turn: Turn }) {
  return (
    <>
      {model !== undefined && <span title="The model that ran">{model}</span>}
      {usage && (
        <>
          <span className="tabular-nums" title={`${formatCount(usage.total_tokens)} tokens in all`}>
            {formatCount(usage.prompt_tokens)} in, {formatCount(usage.completion_tokens)} out
          </span>
          <span className="tabular-nums">{formatCount(usage.credits)} credits</span>
        </>
      )}
      {tookMs !== undefined && (
        <span
          className="tabular-nums"
          title={firstMs === undefined ? undefined : `First word after ${formatDuration(firstMs)}`}
        >
          {formatDuration(tookMs)}
        </span>
      )}
      <span>{isDraft ? 'Draft settings' : 'Published settings'}</span>
    </>
  )
}
