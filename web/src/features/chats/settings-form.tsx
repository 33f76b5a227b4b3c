import type { Chat, ChatSettings } from '@cairn/sdk'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { EmbeddingInput } from '../../shared/embedding-input.tsx'
import { ModelSelect } from '../../shared/model-select.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Field, Input, Textarea } from '../../ui/field.tsx'
import { ErrorNotice, messageOf } from '../../ui/states/error-notice.tsx'
import { ContextFiles } from './context-files.tsx'
import { RankingSelect } from './ranking-select.tsx'
import { differentSettings, type SettingName, settingFields } from './setting-fields.ts'
import { useChatChange } from './use-chat-change.ts'

/** The setting that a message of the server names. */
function fieldOf(message: string | undefined): SettingName | undefined {
  return settingFields.find(({ name }) => message?.includes(name))?.name
}

/** The form of a chat's draft settings. A rejected change stays in the form. */
export function SettingsForm({ chat }: { chat: Chat }) {
  const [settings, setSettings] = useState(chat.settings)
  const set = (values: Partial<ChatSettings>) => setSettings({ ...settings, ...values })
  const changed = differentSettings(settings, chat.settings)
  // An unchanged model whose provider is gone would be rejected.
  const changes: Partial<ChatSettings> = Object.fromEntries(changed.map((name) => [name, settings[name]]))
  const save = useChatChange(() => client.console.chats.update(chat.chat_id, { settings: changes }))
  const message = save.error ? messageOf(save.error) : undefined
  const wrong = fieldOf(message)
  const errorOf = (name: SettingName) => (wrong === name ? message : undefined)
  return (
    <form
      className="flex flex-col gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Field label="Model" error={errorOf('selected_model')}>
        {(ids) => (
          <ModelSelect
            {...ids}
            value={settings.selected_model}
            onChange={(name) => set({ selected_model: name })}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-3">
        <NumberField
          label="Temperature"
          hint="0 to 2"
          value={settings.temperature}
          error={errorOf('temperature')}
          step={0.1}
          onChange={(temperature) => set({ temperature })}
        />
        <NumberField
          label="Max tokens"
          hint="per answer"
          value={settings.max_tokens}
          error={errorOf('max_tokens')}
          onChange={(max_tokens) => set({ max_tokens })}
        />
        <NumberField
          label="Earlier messages"
          hint="sent with a question"
          value={settings.conversation_history_limit}
          error={errorOf('conversation_history_limit')}
          onChange={(conversation_history_limit) => set({ conversation_history_limit })}
        />
      </div>
      <Field
        label="Prompt"
        hint="Precedes the passages and the question. If empty, the built-in prompt is used."
        error={errorOf('custom_prompt')}
      >
        {(ids) => (
          <Textarea
            {...ids}
            rows={6}
            placeholder="Answer in the language of the question. Be brief."
            value={settings.custom_prompt ?? ''}
            onChange={(event) => set({ custom_prompt: event.target.value || null })}
          />
        )}
      </Field>
      <ContextFiles
        chatId={chat.chat_id}
        value={settings.context_files}
        onChange={(context_files) => set({ context_files })}
      />
      <RankingSelect
        value={settings.rerank_model}
        error={errorOf('rerank_model')}
        onChange={(rerank_model) => set({ rerank_model })}
      />
      <Checkbox
        checked={settings.show_sources_to_users}
        onChange={(event) => set({ show_sources_to_users: event.target.checked })}
      >
        Show users of applications the names and passages of the chat’s files
      </Checkbox>
      <Field
        label="Embedding model"
        hint="provider/model, or none. Every document of the chat is then embedded again; searches use the old vectors meanwhile."
        error={errorOf('embedding_model')}
      >
        {(ids) => (
          <EmbeddingInput
            {...ids}
            value={settings.embedding_model ?? ''}
            placeholder="As set for the server"
            onChange={(name) => set({ embedding_model: name.trim() || null })}
          />
        )}
      </Field>
      <Checkbox
        checked={settings.quote_on_failure}
        onChange={(event) => set({ quote_on_failure: event.target.checked })}
      >
        If the provider fails, answer with quotes of the files instead of an error
      </Checkbox>
      {save.error && !wrong && <ErrorNotice error={save.error} title="The settings could not be saved" />}
      <div className="flex items-center gap-3">
        <Button
          type="submit"
          variant="primary"
          disabled={changed.length === 0}
          busy={save.isPending && 'Saving…'}
        >
          Save the draft
        </Button>
        {changed.length > 0 && (
          <Button variant="ghost" onClick={() => setSettings(chat.settings)}>
            Discard changes
          </Button>
        )}
      </div>
    </form>
  )
}

function NumberField({
  label,
  hint,
  value,
  error,
  step,
  onChange,
}: {
  label: string
  hint?: string
  value: number
  error: string | undefined
  step?: number
  onChange: (value: number) => void
}) {
  const [text, setText] = useState(String(value))
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <Input
          {...ids}
          type="number"
          step={step}
          value={Number(text) === value ? text : String(value)}
          className="tabular-nums"
          onChange={(event) => {
            setText(event.target.value)
            if (event.target.value !== '') onChange(Number(event.target.value))
          }}
        />
      )}
    </Field>
  )
}
