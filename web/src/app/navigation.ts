import type { LucideIcon } from 'lucide-react'
import {
  ChartColumn,
  FlaskConical,
  GitCompareArrows,
  House,
  KeyRound,
  List,
  MessageCircleQuestion,
  MessagesSquare,
  Settings,
  Star,
  Waypoints,
} from 'lucide-react'

export interface Place {
  title: string
  /** Below `/projects/<id>`. */
  path: string
  icon: LucideIcon
  /** Further search words for the command palette. */
  words?: string
}

/** The screens of a project, in the order of the sidebar. */
export const places: readonly Place[] = [
  { title: 'Overview', path: '', icon: House, words: 'home start' },
  { title: 'Traces', path: '/traces', icon: List, words: 'calls spans logs' },
  { title: 'Sessions', path: '/sessions', icon: MessagesSquare, words: 'conversations' },
  { title: 'Scores', path: '/scores', icon: Star, words: 'scorers judges batches rules' },
  {
    title: 'Analytics',
    path: '/analytics',
    icon: ChartColumn,
    words: 'cost latency errors tokens metrics export',
  },
  { title: 'Tests', path: '/tests', icon: FlaskConical, words: 'suites cases runs assertions' },
  { title: 'Versions', path: '/versions', icon: GitCompareArrows, words: 'prompt publish compare rollback' },
  {
    title: 'Chats',
    path: '/chats',
    icon: MessageCircleQuestion,
    words: 'documents files playground questions scopes',
  },
  { title: 'Graph', path: '/graph', icon: Waypoints, words: 'documents chunks relationships' },
  { title: 'Apps', path: '/apps', icon: KeyRound, words: 'applications users sign-in issuer' },
  {
    title: 'Settings',
    path: '/settings',
    icon: Settings,
    words: 'keys prices webhooks events usage budgets audit retention delete',
  },
]
