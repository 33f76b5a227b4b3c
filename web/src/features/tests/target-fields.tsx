import { useQuery } from '@tanstack/react-query'
import { chatsQuery } from '../../shared/queries/chats.ts'
import { modelsQuery } from '../../shared/queries/models.ts'
import { Field, Input, Select, Textarea } from '../../ui/field.tsx'
import { type TargetDraft, type TargetType, targetKinds } from './targets.ts'

interface TargetProps {
  projectId: string
  draft: TargetDraft
  onChange: (draft: TargetDraft) => void
}

/** Fields for the target of a suite or run: its type, and the fields of that type. */
export function TargetFields({
  projectId,
  draft,
  onChange,
  defaultTitle,
}: TargetProps & { defaultTitle?: string }) {
  const props = { projectId, draft, onChange }
  return (
    <div className="flex flex-col gap-4">
      <Field
        label="Target"
        hint={
          draft.type === 'default' && defaultTitle
            ? 'Another target applies only to this run.'
            : targetKinds[draft.type].meaning
        }
      >
        {(ids) => (
          <Select
            {...ids}
            value={draft.type}
            onChange={(event) => onChange({ ...draft, type: event.target.value as TargetType })}
          >
            {(Object.keys(targetKinds) as TargetType[]).map((type) => (
              <option key={type} value={type}>
                {type === 'default' && defaultTitle ? defaultTitle : targetKinds[type].title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {draft.type === 'chat' && <ChatFields {...props} />}
      {draft.type === 'model' && <ModelFields {...props} />}
      {draft.type === 'http' && <EndpointFields {...props} />}
    </div>
  )
}

function ChatFields({ projectId, draft, onChange }: TargetProps) {
  const { data: chats } = useQuery(chatsQuery(projectId))
  const published = chats?.filter((chat) => chat.published) ?? []
  return (
    <Field
      label="Chat"
      hint={chats && published.length === 0 ? 'No chat of this project is published yet.' : undefined}
    >
      {(ids) => (
        <Select
          {...ids}
          required
          value={draft.chatId}
          onChange={(event) => onChange({ ...draft, chatId: event.target.value })}
        >
          <option value="">{chats ? 'Choose a published chat' : 'Loading the chats…'}</option>
          {published.map(({ chat_id: chatId, title }) => (
            <option key={chatId} value={chatId}>
              {title}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

function ModelFields({ draft, onChange }: TargetProps) {
  const { data } = useQuery(modelsQuery)
  const names = data?.models.filter(
    ({ kind, configured, provider }) => kind === 'chat' && configured && provider,
  )
  return (
    <>
      <Field
        label="Model"
        hint={names?.length === 0 ? 'No model provider is configured. See Server, Models.' : undefined}
      >
        {(ids) => (
          <>
            <Input
              {...ids}
              list={`${ids.id}-models`}
              value={draft.model}
              placeholder="Model of the version"
              onChange={(event) => onChange({ ...draft, model: event.target.value })}
            />
            <datalist id={`${ids.id}-models`}>
              {names?.map(({ name }) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field
        label="Prompt"
        hint={
          <>
            The system prompt. If it contains <code>{'{{query}}'}</code>, it is the whole message instead.
          </>
        }
      >
        {(ids) => (
          <Textarea
            {...ids}
            value={draft.prompt}
            onChange={(event) => onChange({ ...draft, prompt: event.target.value })}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <Field label="Temperature">
          {(ids) => (
            <Input
              {...ids}
              type="number"
              min={0}
              max={2}
              step="any"
              value={draft.temperature}
              onChange={(event) => onChange({ ...draft, temperature: event.target.value })}
            />
          )}
        </Field>
        <Field label="Max tokens">
          {(ids) => (
            <Input
              {...ids}
              type="number"
              min={1}
              value={draft.maxTokens}
              onChange={(event) => onChange({ ...draft, maxTokens: event.target.value })}
            />
          )}
        </Field>
      </div>
    </>
  )
}

function EndpointFields({ draft, onChange }: TargetProps) {
  const stored = draft.storedHeaders.join(', ')
  return (
    <>
      <Field label="Address" hint="An https URL with a public address">
        {(ids) => (
          <Input
            {...ids}
            required
            value={draft.url}
            placeholder="https://example.com/answer"
            onChange={(event) => onChange({ ...draft, url: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Headers"
        hint={
          stored
            ? `Stored headers: ${stored}. Their values are never shown. Saving replaces all of them with this text.`
            : 'One per line, such as Authorization: Bearer …. Values are stored encrypted and never shown again.'
        }
      >
        {(ids) => (
          <Textarea
            {...ids}
            className="font-mono text-sm"
            value={draft.headers}
            onChange={(event) => onChange({ ...draft, headers: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Path of the output"
        hint="Path in the JSON response, such as data.0.text; default output or answer."
      >
        {(ids) => (
          <Input
            {...ids}
            value={draft.outputPath}
            onChange={(event) => onChange({ ...draft, outputPath: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}
