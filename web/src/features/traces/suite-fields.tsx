import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { suiteNamesQuery } from '../../shared/queries/suites.ts'
import { Field, Input, Select } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'

const newSuite = ''

/** The choice of an existing or a new suite. */
export function useSuiteChoice(projectId: string) {
  const suites = useQuery(suiteNamesQuery(projectId))
  const [chosen, setChosen] = useState<string>()
  const [newName, setNewName] = useState('')
  const suiteId = chosen ?? suites.data?.[0]?.suite_id ?? newSuite
  return {
    suites,
    suiteId,
    newName,
    setChosen,
    setNewName,
    isComplete: !suites.isPending && (suiteId !== newSuite || newName.trim() !== ''),
    name: suites.data?.find(({ suite_id }) => suite_id === suiteId)?.name ?? newName,
    /** The id of the suite, which is created if it is new; a further try uses it again. */
    async suite(): Promise<string> {
      const id = suiteId || (await client.testing.suites.create(projectId, { name: newName.trim() })).suite_id
      setChosen(id)
      return id
    },
  }
}

export function SuiteFields({ choice }: { choice: ReturnType<typeof useSuiteChoice> }) {
  const { suites, suiteId, newName, setChosen, setNewName } = choice
  return (
    <>
      {suites.error && (
        <ErrorNotice error={suites.error} title="The suites could not be loaded" retry={suites.refetch} />
      )}
      <div className="flex flex-wrap gap-3">
        <Field label="Suite" className="min-w-48 flex-1">
          {(ids) => (
            <Select {...ids} value={suiteId} onChange={({ target }) => setChosen(target.value)}>
              {suites.data?.map(({ suite_id: id, name: title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
              <option value={newSuite}>New suite…</option>
            </Select>
          )}
        </Field>
        {suiteId === newSuite && (
          <Field label="Name of the new suite" className="min-w-48 flex-1">
            {(ids) => (
              <Input
                {...ids}
                required
                maxLength={200}
                value={newName}
                placeholder="Regressions"
                onChange={({ target }) => setNewName(target.value)}
              />
            )}
          </Field>
        )}
      </div>
    </>
  )
}
