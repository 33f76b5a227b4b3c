import type { Model } from './model.ts'

/** Props shared by the panels of nodes and relationships. */
export interface PanelProps {
  projectId: string
  chatId: string
  model: Model
  onClose: () => void
  selectNode: (id: string) => void
  selectRelationship: (id: string) => void
}

/** Path of the files of a chat. */
export function filesPath(projectId: string, chatId: string): string {
  return `/projects/${projectId}/chats/${chatId}/files`
}
