import clsx from 'clsx'

/** The classes of a tab, also for links that look like tabs. */
export const tabClass = (active: boolean) =>
  clsx(
    '-mb-px inline-flex h-8 items-center border-b-2 px-2.5 font-medium whitespace-nowrap',
    active ? 'border-accent text-fg' : 'border-transparent text-fg-2 hover:text-fg',
  )
