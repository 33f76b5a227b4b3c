import { useNavigate, useSearch } from '@tanstack/react-router'
import { AuditLog } from './audit-log.tsx'

/** The audit log of one project. */
export default function AuditSection({ projectId }: { projectId: string }) {
  const { action, open } = useSearch({ from: '/signed-in/projects/$projectId/settings/$section' })
  const navigate = useNavigate()
  return (
    <AuditLog
      projectId={projectId}
      action={action}
      open={open}
      onChange={(search) =>
        navigate({
          to: '/projects/$projectId/settings/$section',
          params: { projectId, section: 'audit' },
          search,
        })
      }
    />
  )
}
