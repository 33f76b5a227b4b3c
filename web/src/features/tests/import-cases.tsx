import { CairnApiError, type CreateCase } from '@cairn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useMemo, useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, Textarea } from '../../ui/field.tsx'
import { plural } from '../../ui/format.ts'
import { Progress } from '../../ui/progress.tsx'
import { ErrorNotice, messageOf } from '../../ui/states/error-notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { ImportPreview } from './import-preview.tsx'
import { casesQuery, suiteQuery } from './queries.ts'
import { type ReadCase, readCases } from './read-cases.ts'

const example = `query,expected_answer,category,assertions
How many days of leave do I get?,27 days,leave,"[{""type"":""contains"",""value"":""27""}]"`

/** The dialog that imports cases from CSV or JSON Lines: a preview, then one request for each case. */
export function ImportCases({
  projectId,
  suiteId,
  onClose,
}: {
  projectId: string
  suiteId: string
  onClose: () => void
}) {
  const [text, setText] = useState('')
  const [dropping, setDropping] = useState(false)
  const { cases, header, unknown, problem } = useMemo(() => readCases(text), [text])
  const sending = useSending(projectId, suiteId)
  const good = cases.filter(({ value }) => value !== undefined)
  const write = (next: string) => {
    sending.forget()
    setText(next)
  }
  const drop = async (event: DragEvent) => {
    event.preventDefault()
    setDropping(false)
    const file = event.dataTransfer.files[0]
    if (file) write(await file.text())
  }
  const start = async () => {
    const left = await sending.send(cases)
    // Imported cases are removed from the text, so that a second click cannot import them again.
    if (left.length === 0) setText('')
    else setText(header + left.map(({ source }) => source).join(''))
  }
  return (
    <Dialog title="Import cases" open onClose={sending.busy ? () => {} : onClose} wide>
      <section
        aria-label="Cases to import"
        className="flex flex-col gap-4"
        onDragOver={(event) => {
          event.preventDefault()
          setDropping(true)
        }}
        onDragLeave={() => setDropping(false)}
        onDrop={drop}
      >
        <Field
          label="Cases"
          hint="Paste text or drop a file: CSV with a header line (query or question, expected_answer, category, assertions as JSON), or JSON Lines."
          error={problem}
        >
          {(ids) => (
            <Textarea
              {...ids}
              className={`min-h-28 font-mono text-sm ${dropping ? 'border-accent' : ''}`}
              value={text}
              disabled={sending.busy}
              placeholder={example}
              onChange={(event) => write(event.target.value)}
              wrap="off"
            />
          )}
        </Field>
        <ChooseFile onChoose={write} />
        {unknown.length > 0 && (
          <StatusBadge kind="warning">{`Ignored columns: ${unknown.join(', ')}. Cases have no such fields.`}</StatusBadge>
        )}
        {cases.length > 0 && <ImportPreview cases={cases} refusals={sending.refusals} />}
        {sending.busy && (
          <div className="flex flex-col gap-1" role="status">
            <Progress done={sending.done} total={good.length} label="Cases imported" />
            <span className="text-fg-2">{`${sending.done} of ${plural(good.length, 'case')} sent`}</span>
          </div>
        )}
        {sending.imported > 0 && !sending.busy && (
          <StatusBadge kind="success">{`${plural(sending.imported, 'case')} imported`}</StatusBadge>
        )}
        {sending.failure !== undefined && (
          <ErrorNotice
            error={sending.failure}
            title="The import stopped; the listed cases were not imported"
          />
        )}
        <DialogActions>
          <Button onClick={sending.busy ? sending.stop : onClose}>
            {sending.busy ? 'Stop' : sending.imported > 0 ? 'Close' : 'Cancel'}
          </Button>
          <Button
            variant="primary"
            disabled={good.length === 0}
            busy={sending.busy && 'Importing…'}
            onClick={start}
          >
            {good.length > 0 ? `Import ${plural(good.length, 'case')}` : 'Import'}
          </Button>
        </DialogActions>
      </section>
    </Dialog>
  )
}

function ChooseFile({ onChoose }: { onChoose: (text: string) => void }) {
  return (
    <div>
      <label className={`${buttonClass()} cursor-pointer focus-within:outline-2 focus-within:outline-accent`}>
        Choose a file…
        <input
          type="file"
          accept=".csv,.tsv,.jsonl,.ndjson,.txt"
          className="sr-only"
          onChange={async (event) => {
            const file = event.target.files?.[0]
            event.target.value = ''
            if (file) onChoose(await file.text())
          }}
        />
      </label>
    </div>
  )
}

/** Sends cases one by one, since a suite keeps their order. Rejected cases stay in the list with the reason. */
function useSending(projectId: string, suiteId: string) {
  const queryClient = useQueryClient()
  const [state, setState] = useState({ busy: false, done: 0, imported: 0 })
  /** The reasons of the server, in the order of the remaining cases. */
  const [refusals, setRefusals] = useState<readonly (string | undefined)[]>([])
  const [failure, setFailure] = useState<unknown>()
  const [stopping] = useState({ now: false })

  async function send(cases: readonly ReadCase[]): Promise<ReadCase[]> {
    stopping.now = false
    setFailure(undefined)
    const left: ReadCase[] = []
    const reasons: (string | undefined)[] = []
    const leave = (one: ReadCase, reason?: string) => {
      left.push(one)
      reasons.push(reason)
    }
    let [done, imported, over] = [0, 0, false]
    setState({ busy: true, done, imported })
    for (const one of cases) {
      if (!one.value || over || stopping.now) {
        leave(one)
        continue
      }
      try {
        await client.testing.cases.create(projectId, suiteId, one.value as CreateCase)
        imported++
      } catch (error) {
        const refused = error instanceof CairnApiError && [400, 404, 413].includes(error.status)
        leave(one, refused ? messageOf(error) : undefined)
        if (!refused) {
          over = true
          setFailure(error)
        }
      }
      setState({ busy: true, done: ++done, imported })
    }
    setRefusals(reasons)
    setState({ busy: false, done, imported })
    // Not awaited: until the caller removes the imported cases from the text, they could be imported again.
    void queryClient.invalidateQueries({ queryKey: casesQuery(projectId, suiteId).queryKey })
    void queryClient.invalidateQueries({ queryKey: suiteQuery(projectId, suiteId).queryKey })
    return left
  }

  return {
    ...state,
    refusals,
    failure,
    send,
    stop: () => {
      stopping.now = true
    },
    forget: () => {
      setRefusals([])
      setFailure(undefined)
    },
  }
}
