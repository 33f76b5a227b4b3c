import type { Target } from '@cairn/sdk'
import { useChatTitles } from '../../shared/queries/chats.ts'
import { targetText } from './targets.ts'

/** A target as short text, with the title of its chat. */
export function TargetName({ projectId, target }: { projectId: string; target: Target | null }) {
  const text = targetText(target, useChatTitles(projectId))
  return <span title={target?.chat_id ?? text}>{text}</span>
}
