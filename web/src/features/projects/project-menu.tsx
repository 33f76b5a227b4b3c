import type { Project } from '@cairn/sdk'
import { useNavigate } from '@tanstack/react-router'
import { Menu, MenuCheck, MenuItem, MenuLine } from '../../ui/menu.tsx'
import type { Opener } from '../../ui/opener.tsx'

/** The menu that switches between projects. */
export function ProjectMenu({
  projects,
  current,
  children,
}: {
  projects: readonly Project[]
  current: string | undefined
  children: Opener
}) {
  const navigate = useNavigate()
  return (
    <Menu align="start" trigger={children}>
      {projects.map(({ project_id: projectId, name }) => (
        <MenuCheck
          key={projectId}
          checked={projectId === current}
          onChange={() => navigate({ to: '/projects/$projectId', params: { projectId } })}
        >
          <span className="truncate">{name}</span>
        </MenuCheck>
      ))}
      {projects.length > 0 && <MenuLine />}
      <MenuItem onSelect={() => navigate({ to: '/' })}>All projects</MenuItem>
    </Menu>
  )
}
