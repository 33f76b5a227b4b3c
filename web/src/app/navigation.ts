import type { LucideIcon } from 'lucide-react'
import { House, MessagesSquare } from 'lucide-react'

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
  {
    title: 'Chats',
    path: '/chats',
    icon: MessagesSquare,
    words: 'documents files playground questions scopes',
  },
]
