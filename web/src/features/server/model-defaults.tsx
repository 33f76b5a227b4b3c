import type { ModelDefaults } from '@cairn/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { EmbeddingInput } from '../../shared/embedding-input.tsx'
import { ModelSelect } from '../../shared/model-select.tsx'
import { Field } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

/** The dialog for the models of the whole server. */
export function ModelDefaultsForm({ stored, onClose }: { stored: ModelDefaults; onClose: () => void }) {
  const [model, setModel] = useState(stored.default_model ?? '')
  const [embedding, setEmbedding] = useState(stored.embedding_model ?? '')
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: () =>
      client.console.modelDefaults.set({
        default_model: model || null,
        embedding_model: embedding.trim() || null,
      }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['server'] })
      onClose()
    },
  })
  return (
    <FormDialog
      title="Models of the server"
      onClose={onClose}
      sending={save}
      failed="The models were not changed"
      action="Save"
      busy="Saving…"
    >
      <Field
        label="Default model"
        hint="Answers if the requested model has no provider, or if its provider fails."
      >
        {(ids) => <ModelSelect {...ids} value={model} onChange={setModel} none="As in the environment" />}
      </Field>
      <Field
        label="Embedding model"
        hint="provider/model, with @256 for vectors of this length, or none. Every document is sent to its provider and paid for. After a change, documents are embedded again in the background; searches use the old vectors meanwhile."
      >
        {(ids) => (
          <EmbeddingInput
            {...ids}
            value={embedding}
            placeholder="As in the environment"
            onChange={setEmbedding}
          />
        )}
      </Field>
    </FormDialog>
  )
}
