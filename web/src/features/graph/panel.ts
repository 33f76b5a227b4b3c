import type { Model } from './model.ts'

/** What the panels of nodes and of relationships share. */
export interface PanelProps {
  projectId: string
  chatId: string
  model: Model
  onClose: () => void
  selectNode: (id: string) => void
  selectRelationship: (id: string) => void
}

/** Where the files of a chat are. */
export function filesPath(projectId: string, chatId: string): string {
  return `/projects/${projectId}/chats/${chatId}/files`
}
