import type { LucideIcon } from 'lucide-react'
import { House, KeyRound, Waypoints } from 'lucide-react'

export interface Place {
  title: string
  /** Below `/projects/<id>`. */
  path: string
  icon: LucideIcon
  /** Further words that the command palette finds it by. */
  words?: string
}

/** The places of a project, in the order of the sidebar. */
export const places: readonly Place[] = [
  { title: 'Overview', path: '', icon: House, words: 'home start' },
  { title: 'Graph', path: '/graph', icon: Waypoints, words: 'documents chunks relationships' },
  { title: 'Apps', path: '/apps', icon: KeyRound, words: 'applications users sign-in issuer' },
]
