import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { type ReactNode, useState } from 'react'
import { chatsQuery } from '../shared/queries/chats.ts'
import { projectsQuery } from '../shared/queries/projects.ts'
import { newestSessionsQuery } from '../shared/queries/sessions.ts'
import { suiteNamesQuery } from '../shared/queries/suites.ts'
import { versionsQuery } from '../shared/queries/versions.ts'
import { places } from './navigation.ts'
import { chooseTheme } from './theme.ts'

/** Every typed word must begin a word of the item; items whose name begins with the first typed word rank higher. */
function rank(item: string, typed: string): number {
  const words = item.toLowerCase().split(/\s+/)
  const wanted = typed.toLowerCase().trim().split(/\s+/)
  if (!wanted.every((start) => words.some((word) => word.startsWith(start)))) return 0
  return words[0]?.startsWith(wanted[0] ?? '') ? 1 : 0.5
}

const staleTime = 30_000

/** Finds screens, projects, traces, actions and the named things of a project by their first letters. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const { projectId } = useParams({ strict: false })
  const { data: projects = [] } = useQuery(projectsQuery)
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const go = (to: string) => () => {
    onClose()
    void navigate({ to })
  }
  const act = (action: () => void) => () => {
    onClose()
    action()
  }
  const trace = /^\s*(tr[a-z]*_\w+)\s*$/.exec(text)?.[1]
  return (
    <Command.Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      label="Go to"
      filter={rank}
      overlayClassName="fixed inset-0 z-40 bg-overlay"
      contentClassName="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-24px)] max-w-xl -translate-x-1/2 overflow-hidden rounded-md border bg-raised"
    >
      <Command.Input
        value={text}
        onValueChange={setText}
        placeholder="A screen, a project, a chat, suite, version or session, or the id of a trace"
        className="h-11 w-full border-b bg-transparent px-4 outline-none"
      />
      <Command.List className="max-h-[50vh] overflow-auto p-1">
        <Command.Empty className="px-3 py-4 text-fg-3">No results.</Command.Empty>
        {projectId && trace && (
          <Group heading="Traces">
            <Item value={text} onSelect={go(`/projects/${projectId}/traces/${trace}`)}>
              Trace <code>{trace}</code>
            </Item>
          </Group>
        )}
        {projectId && text.trim() !== '' && <ProjectItems projectId={projectId} go={go} />}
        {projectId && (
          <Group heading="Screens">
            {places.map(({ title, path, icon: Icon, words }) => (
              <Item
                key={path}
                value={`${title} ${words ?? ''}`}
                onSelect={go(`/projects/${projectId}${path}`)}
              >
                <Icon size={14} aria-hidden="true" />
                {title}
              </Item>
            ))}
          </Group>
        )}
        <Group heading="Projects">
          {projects.map(({ project_id, name }) => (
            <Item key={project_id} value={`${name} ${project_id}`} onSelect={go(`/projects/${project_id}`)}>
              {name}
            </Item>
          ))}
          <Item value="All projects new project" onSelect={go('/')}>
            All projects
          </Item>
        </Group>
        <Group heading="Actions">
          <Item value="Server health settings" onSelect={go('/server')}>
            Server
          </Item>
          <Item value="Theme light" onSelect={act(() => chooseTheme('light'))}>
            Light theme
          </Item>
          <Item value="Theme dark" onSelect={act(() => chooseTheme('dark'))}>
            Dark theme
          </Item>
          <Item value="API reference docs" onSelect={act(() => window.open('/docs', '_blank', 'noopener'))}>
            API reference
          </Item>
        </Group>
      </Command.List>
    </Command.Dialog>
  )
}

/** The named things of a project: chats, suites, versions and the newest sessions. */
function ProjectItems({ projectId, go }: { projectId: string; go: (to: string) => () => void }) {
  const { data: chats = [] } = useQuery({ ...chatsQuery(projectId), staleTime })
  const { data: suites = [] } = useQuery({ ...suiteNamesQuery(projectId), staleTime })
  const { data: versions = [] } = useQuery({ ...versionsQuery(projectId), staleTime })
  const { data: sessions = [] } = useQuery({ ...newestSessionsQuery(projectId), staleTime })
  const base = `/projects/${projectId}`
  const groups = [
    {
      heading: 'Chats',
      items: chats.map(({ chat_id, title }) => [title, chat_id, `/chats/${chat_id}`] as const),
    },
    {
      heading: 'Suites',
      items: suites.map(({ suite_id, name }) => [name, suite_id, `/tests/${suite_id}`] as const),
    },
    {
      heading: 'Versions',
      items: versions.map(
        ({ version_id, version, description }) =>
          [version, `${version_id} ${description ?? ''}`, `/versions/${version_id}`] as const,
      ),
    },
    {
      heading: 'Sessions',
      items: sessions.map(
        ({ session_id, user_id }) =>
          [session_id, user_id ?? '', `/sessions/${encodeURIComponent(session_id)}`] as const,
      ),
    },
  ]
  return groups
    .filter(({ items }) => items.length > 0)
    .map(({ heading, items }) => (
      <Group key={heading} heading={heading}>
        {items.map(([name, words, path]) => (
          <Item key={path} value={`${name} ${words} ${heading.slice(0, -1)}`} onSelect={go(base + path)}>
            <span className="truncate">{name}</span>
          </Item>
        ))}
      </Group>
    ))
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-fg-3"
    >
      {children}
    </Command.Group>
  )
}

function Item({ value, onSelect, children }: { value: string; onSelect: () => void; children: ReactNode }) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex h-8 cursor-pointer items-center gap-2 rounded-sm px-3 aria-selected:bg-hover"
    >
      {children}
    </Command.Item>
  )
}
