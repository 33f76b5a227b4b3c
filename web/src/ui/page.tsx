import clsx from 'clsx'
import { Menu } from 'lucide-react'
import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { IconButton } from './button.tsx'

/** Opens the navigation on narrow screens, where it is hidden; the shell provides the function. */
export const NavigationOpener = createContext<() => void>(() => {})

/**
 * A screen: a bar with its title and actions, and the content below from edge to edge. `title` also names the browser tab;
 * `above` holds links to the screens above this one.
 */
export function Page({
  title,
  above,
  actions,
  bar,
  fill,
  children,
}: {
  title: string
  above?: ReactNode
  actions?: ReactNode
  /** A second bar, for filters and tabs. */
  bar?: ReactNode
  /** The content takes all the room and scrolls by itself, like tables, graphs and panels. */
  fill?: boolean
  children: ReactNode
}) {
  const openNavigation = useContext(NavigationOpener)
  useEffect(() => {
    document.title = `${title} · Cairn`
  }, [title])
  return (
    <>
      <header className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-1.5">
        <IconButton label="Open navigation" className="md:hidden" onClick={openNavigation}>
          <Menu size={16} />
        </IconButton>
        <div className="flex min-w-0 flex-1 items-center gap-1.5">
          {above && <span className="flex shrink-0 items-center gap-1.5 text-fg-3">{above} /</span>}
          <h1 className="truncate text-base font-semibold" title={title}>
            {title}
          </h1>
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {bar && <div className="shrink-0 border-b px-4 py-1.5">{bar}</div>}
      <main
        id="content"
        tabIndex={-1}
        className={clsx(
          'min-h-0 flex-1 outline-none',
          fill ? 'flex overflow-hidden' : 'flex flex-col gap-6 overflow-auto p-4',
        )}
      >
        {children}
      </main>
    </>
  )
}

/** A part of a page with a heading. */
export function Section({
  title,
  note,
  actions,
  children,
}: {
  title: string
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="flex flex-col gap-3" aria-label={title}>
      <div className="flex min-h-7 items-center justify-between gap-4">
        <h2 className="text-lg font-semibold">{title}</h2>
        {actions && <div className="flex items-center gap-2">{actions}</div>}
      </div>
      {note && <div className="max-w-prose text-fg-2">{note}</div>}
      {children}
    </section>
  )
}
