import { useNavigate, useSearch } from '@tanstack/react-router'
import { Budgets } from './budgets.tsx'
import { Usage } from './usage.tsx'

/** The usage and the budgets of a project. */
export default function UsageAndBudgets({ projectId }: { projectId: string }) {
  const { group, days } = useSearch({ from: '/signed-in/projects/$projectId/settings/$section' })
  const navigate = useNavigate()
  return (
    <>
      <Budgets projectId={projectId} />
      <Usage
        projectId={projectId}
        group={group}
        days={days}
        onChange={(search) =>
          navigate({
            to: '/projects/$projectId/settings/$section',
            params: { projectId, section: 'usage' },
            search,
            replace: true,
          })
        }
      />
    </>
  )
}
