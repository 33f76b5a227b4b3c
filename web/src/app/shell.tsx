import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams, useRouterState } from '@tanstack/react-router'
import clsx from 'clsx'
import { ChevronsUpDown, Search, Server, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ExportNotice } from '../features/analytics/index.ts'
import { ProjectMenu } from '../features/projects/index.ts'
import { projectsQuery } from '../shared/queries/projects.ts'
import { IconButton } from '../ui/button.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { NavigationOpener } from '../ui/page.tsx'
import { ErrorNotice } from '../ui/states/error-notice.tsx'
import { AccountMenu } from './account-menu.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { places } from './navigation.ts'
import { useShortcuts } from './shortcuts.ts'

const palettePart = lazyComponent(() =>
  import('./command-palette.tsx').then(({ CommandPalette }) => CommandPalette),
)
const helpPart = lazyComponent(() => import('./shortcut-help.tsx').then(({ ShortcutHelp }) => ShortcutHelp))

/** The frame around every screen: sidebar, content, command palette and keyboard help. */
export function Shell() {
  const [open, setOpen] = useState(false)
  const { palette, setPalette, help, setHelp } = useShortcuts()
  const location = useRouterState({ select: (state) => state.location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the sidebar
  useEffect(() => setOpen(false), [location])
  return (
    <NavigationOpener value={() => setOpen(true)}>
      <a
        href="#content"
        className="absolute -top-20 left-2 z-50 rounded-md bg-accent px-3 py-1 text-on-accent focus:top-2"
      >
        Skip to content
      </a>
      <div className="flex h-full">
        {open && (
          <button
            type="button"
            aria-label="Close navigation"
            className="fixed inset-0 z-20 bg-overlay md:hidden"
            onClick={() => setOpen(false)}
          />
        )}
        <Sidebar open={open} onClose={() => setOpen(false)} onSearch={() => setPalette(true)} />
        <div className="relative flex min-w-0 flex-1 flex-col">
          <NavigationProgress />
          <ConnectionBanner />
          <Outlet />
        </div>
      </div>
      {palette && <palettePart.Component onClose={() => setPalette(false)} />}
      {help && <helpPart.Component onClose={() => setHelp(false)} />}
    </NavigationOpener>
  )
}

/** A line at the top while a clicked screen loads; it appears only after a moment, so that fast screens do not flicker. */
function NavigationProgress() {
  const isLoading = useRouterState({ select: (state) => state.status === 'pending' })
  if (!isLoading) return null
  return (
    <div role="status" aria-label="Loading the screen" className="navigation-progress">
      <span />
    </div>
  )
}

const rowClass = (active: boolean) =>
  clsx(
    'flex h-7 items-center gap-2 rounded-md px-2',
    active ? 'bg-selected font-medium text-fg' : 'text-fg-2 hover:bg-hover hover:text-fg',
  )

function Sidebar({ open, onClose, onSearch }: { open: boolean; onClose: () => void; onSearch: () => void }) {
  const { projectId } = useParams({ strict: false })
  return (
    <nav
      aria-label="Main"
      className={clsx(
        'flex w-52 shrink-0 flex-col gap-3 border-r bg-surface p-2',
        'max-md:fixed max-md:inset-y-0 max-md:left-0 max-md:z-30 max-md:w-64',
        !open && 'max-md:hidden',
      )}
    >
      <div className="flex items-center justify-between">
        <Link to="/" className="flex h-7 items-center gap-2 px-2 font-semibold">
          <img src="/favicon.svg" alt="" width="18" height="18" />
          Cairn
        </Link>
        <IconButton label="Close navigation" className="md:hidden" onClick={onClose}>
          <X size={16} />
        </IconButton>
      </div>
      <ProjectSwitcher projectId={projectId} />
      <button
        type="button"
        onClick={onSearch}
        className="flex h-7 items-center gap-2 rounded-md border border-line-strong bg-background px-2 text-fg-3 hover:text-fg"
      >
        <Search size={14} aria-hidden="true" />
        <span className="flex-1 text-left">Go to…</span>
        <kbd className="text-xs">{navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {projectId !== undefined && <ProjectPlaces projectId={projectId} />}
      <div className="mt-auto flex flex-col gap-0.5">
        <ExportNotice />
        <Link to="/server" className={rowClass(false)} activeProps={{ className: rowClass(true) }}>
          <Server size={14} aria-hidden="true" />
          Server
        </Link>
        <AccountMenu className={rowClass(false)} />
      </div>
    </nav>
  )
}

function ProjectPlaces({ projectId }: { projectId: string }) {
  const location = useRouterState({ select: (state) => state.location.pathname })
  const base = `/projects/${projectId}`
  return (
    <ul className="flex flex-col gap-0.5 overflow-y-auto">
      {places.map(({ title, path, icon: Icon }) => {
        const active = path === '' ? location === base : location.startsWith(base + path)
        return (
          <li key={path}>
            <Link
              to={base + path}
              className={rowClass(active)}
              {...(active && { 'aria-current': 'page' as const })}
            >
              <Icon size={14} aria-hidden="true" />
              {title}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

function ProjectSwitcher({ projectId }: { projectId: string | undefined }) {
  const { data: projects } = useQuery(projectsQuery)
  const project = projects?.find((one) => one.project_id === projectId)
  const name = project?.name ?? (projectId === undefined ? 'All projects' : '…')
  return (
    <ProjectMenu projects={projects ?? []} current={projectId}>
      <button type="button" className="rounded-md" aria-label={`Project: ${name}`}>
        <span className="flex h-8 w-full items-center gap-2 rounded-md border bg-background px-2">
          <span className="min-w-0 flex-1 truncate text-left font-medium">{name}</span>
          <ChevronsUpDown size={14} className="shrink-0 text-fg-3" aria-hidden="true" />
        </span>
      </button>
    </ProjectMenu>
  )
}

/** Shown if the frame itself fails, for example without a server. */
export function RootFailure({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <main className="mx-auto flex max-w-lg flex-col gap-4 p-6">
      <h1 className="text-lg font-semibold">Cairn</h1>
      <ErrorNotice error={error} title="The dashboard could not be loaded" retry={reset} />
    </main>
  )
}
