import type { Chat, ScopeDefinition, ScopeValues } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { useRef } from 'react'
import { ModelSelect } from '../../shared/model-select.tsx'
import { modelsQuery } from '../../shared/queries/models.ts'
import { Button } from '../../ui/button.tsx'
import { Select, Textarea } from '../../ui/field.tsx'
import { useStored } from '../../ui/stored.ts'
import type { Turn } from './conversation.ts'
import { FilterButton } from './filter-button.tsx'
import { runningModel } from './running-model.ts'

/** The options for questions to a chat, stored in the browser. */
export interface AskOptions {
  isDraft: boolean
  /** Empty for the model of the settings. */
  model: string
  filters: ScopeValues
}

/** The form for a question and its options. Enter asks, Shift+Enter adds a line. */
export function QuestionBox({
  chat,
  scopes,
  suggestion = '',
  isBusy,
  onAsk,
}: {
  chat: Chat
  scopes: readonly ScopeDefinition[]
  /** A question to begin with. */
  suggestion?: string | undefined
  /** An answer is in progress. */
  isBusy: boolean
  onAsk: (asked: Pick<Turn, 'request' | 'isDraft'>) => void
}) {
  const [options, setOptions] = useStored<AskOptions>(`ask.${chat.chat_id}`, {
    isDraft: false,
    model: '',
    filters: {},
  })
  const [text, setText] = useStored(`question.${chat.chat_id}`, suggestion)
  const form = useRef<HTMLFormElement>(null)
  const { data: models } = useQuery(modelsQuery)
  const { model, filters } = options
  const isDraft = options.isDraft || !chat.published
  const submit = () => {
    const question = text.trim()
    if (question === '' || isBusy) return
    const request = {
      question,
      ...(model !== '' && { selected_model: model }),
      ...(Object.keys(filters).length > 0 && { scope_filters: filters }),
    }
    onAsk({ request, isDraft })
    setText('')
  }
  return (
    <form
      ref={form}
      className="flex flex-col gap-2 rounded-md border border-line-strong bg-background p-2"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Textarea
        aria-label="Question"
        placeholder="Ask about the files"
        data-search
        rows={2}
        className="resize-none border-transparent"
        value={text}
        maxLength={100_000}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          form.current?.requestSubmit()
        }}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label="Settings"
          className="w-auto! min-w-24"
          value={isDraft ? 'draft' : 'published'}
          onChange={(event) => setOptions({ ...options, isDraft: event.target.value === 'draft' })}
        >
          <option value="draft">Draft settings</option>
          <option value="published" disabled={!chat.published}>
            {chat.published ? 'Published settings' : 'Published settings (none)'}
          </option>
        </Select>
        <ModelSelect
          aria-label="Model"
          className="w-auto! min-w-24 max-w-56 flex-1"
          none={runningModel(
            (isDraft ? chat.settings : chat.published_settings)?.selected_model,
            models?.models,
          )}
          value={model}
          onChange={(name) => setOptions({ ...options, model: name })}
        />
        <FilterButton
          scopes={scopes}
          filters={filters}
          onChange={(values) => setOptions({ ...options, filters: values })}
        />
        <Button type="submit" variant="primary" className="ml-auto" disabled={text.trim() === '' || isBusy}>
          <ArrowUp size={14} aria-hidden="true" /> Ask
        </Button>
      </div>
    </form>
  )
}
