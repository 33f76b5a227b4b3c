import { Plus, X } from 'lucide-react'
import { useId } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'
import { type ChoiceDraft, newChoice } from './scorer-draft.ts'

/** Fields for the choices of the model, each with its score. */
export function ChoiceFields({
  choices,
  onChange,
  error,
}: {
  choices: readonly ChoiceDraft[]
  onChange: (choices: ChoiceDraft[]) => void
  error: string | undefined
}) {
  const id = useId()
  const set = (key: string, change: Partial<ChoiceDraft>) =>
    onChange(choices.map((choice) => (choice.key === key ? { ...choice, ...change } : choice)))
  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={id}>
      <legend className="mb-1 font-medium">Choices</legend>
      {choices.map(({ key, name, score }, place) => (
        <div key={key} className="flex items-center gap-2">
          <Input
            aria-label={`Choice ${place + 1}`}
            required
            maxLength={100}
            value={name}
            placeholder="friendly"
            onChange={({ target }) => set(key, { name: target.value })}
          />
          <Input
            aria-label={`Score of choice ${place + 1}`}
            type="number"
            min={0}
            max={1}
            step="any"
            required
            value={score}
            className="max-w-24 text-right tabular-nums"
            onChange={({ target }) => set(key, { score: target.value })}
          />
          <IconButton
            label={`Remove choice ${place + 1}`}
            disabled={choices.length <= 2}
            onClick={() => onChange(choices.filter((choice) => choice.key !== key))}
          >
            <X size={14} />
          </IconButton>
        </div>
      ))}
      <Button variant="ghost" className="self-start" onClick={() => onChange([...choices, newChoice()])}>
        <Plus size={14} aria-hidden="true" /> Add a choice
      </Button>
      <p id={id} className={`text-sm ${error ? 'text-error' : 'text-fg-3'}`}>
        {error ?? 'The model picks one choice. The score of that choice, 0 to 1, is the score of the output.'}
      </p>
    </fieldset>
  )
}
