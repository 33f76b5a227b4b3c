import type { ExportFormat } from '@cairn/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../../shared/client.ts'
import { downloadBlob } from '../../../ui/download.ts'
import { Field, Select } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { plural } from '../../../ui/format.ts'

/** The dialog that saves the selected traces as a file. */
export function ExportTraces({
  projectId,
  traceIds,
  onClose,
}: {
  projectId: string
  traceIds: readonly string[]
  onClose: () => void
}) {
  const [format, setFormat] = useState<ExportFormat>('csv')
  const saving = useMutation({
    mutationFn: async () => {
      const response = await client.analytics.export(projectId, { trace_id: [...traceIds], format })
      downloadBlob(await response.blob(), `traces-${projectId}-selected.${format}`)
    },
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title={`Export ${plural(traceIds.length, 'trace')}`}
      description="The file includes their scores."
      onClose={onClose}
      sending={saving}
      failed="The export failed"
      action="Export"
      busy="Exporting…"
    >
      <Field label="Format">
        {(ids) => (
          <Select {...ids} value={format} onChange={({ target }) => setFormat(target.value as ExportFormat)}>
            <option value="csv">CSV, for spreadsheets</option>
            <option value="json">JSON, one list</option>
            <option value="jsonl">JSON Lines, one trace per line</option>
          </Select>
        )}
      </Field>
    </FormDialog>
  )
}
