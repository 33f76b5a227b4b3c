import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { makeSampleChat, type SampleStep, sampleQuestion, sampleSteps } from './sample.ts'

/** A button that creates a chat with sample documents, showing each step, and opens its playground. */
export function SampleChat({ projectId }: { projectId: string }) {
  const [done, setDone] = useState<SampleStep[]>([])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const make = useMutation({
    mutationFn: () => makeSampleChat(projectId, (step) => setDone((steps) => [...steps, step])),
    onMutate: () => setDone([]),
    onSuccess: async (chatId) => {
      await navigate({
        to: '/projects/$projectId/chats/$chatId/playground',
        params: { projectId, chatId },
        search: { question: sampleQuestion },
      })
      await queryClient.invalidateQueries()
    },
  })
  const current = sampleSteps.find(({ name }) => !done.includes(name))
  return (
    <div className="flex flex-col items-start gap-3">
      {make.isIdle || make.isError ? (
        <Button variant="primary" onClick={() => make.mutate()}>
          Try it with sample documents
        </Button>
      ) : (
        <ol className="flex flex-col gap-1" aria-live="polite">
          {sampleSteps.map(({ name, title }) => (
            <li key={name}>
              <StatusBadge
                kind={done.includes(name) ? 'success' : name === current?.name ? 'running' : 'info'}
              >
                {title}
              </StatusBadge>
            </li>
          ))}
        </ol>
      )}
      {make.error && (
        <ErrorNotice error={make.error} title={current ? `Stopped at: ${current.title}` : 'Stopped'} />
      )}
    </div>
  )
}
