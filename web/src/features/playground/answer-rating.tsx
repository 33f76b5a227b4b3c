import type { Rating } from '@cairn/sdk'
import { useMutation } from '@tanstack/react-query'
import { MessageSquare, ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { IconButton } from '../../ui/button.tsx'
import { Field, Textarea } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { messageOf } from '../../ui/states/error-notice.tsx'
import { changeTurn, keep, type Turn } from './conversation.ts'

interface Opinion {
  rating: Rating
  comment?: string
}

const thumbs = [
  { rating: 'up', label: 'Good answer', Icon: ThumbsUp },
  { rating: 'down', label: 'Bad answer', Icon: ThumbsDown },
] as const

/** Thumbs that rate an answer, and a comment for the rating. A second click on a thumb takes the rating back. */
export function AnswerRating({ turn, answerId, chatId }: { turn: Turn; answerId: string; chatId: string }) {
  const { rating: current = 'none' } = turn
  const [isCommenting, setCommenting] = useState(false)
  const rate = useMutation({
    mutationFn: (opinion: Opinion) => client.answers.feedback(chatId, { answer_id: answerId, ...opinion }),
    onSuccess: (_, { rating, comment = '' }) => {
      changeTurn(turn.id, (one) => ({ ...one, rating, comment }))
      keep()
      setCommenting(false)
    },
  })
  return (
    <span className="flex items-center">
      {thumbs.map(({ rating, label, Icon }) => (
        <IconButton
          key={rating}
          label={label}
          aria-pressed={current === rating}
          disabled={rate.isPending}
          onClick={() => rate.mutate({ rating: current === rating ? 'none' : rating })}
        >
          <Icon size={14} aria-hidden="true" fill={current === rating ? 'currentColor' : 'none'} />
        </IconButton>
      ))}
      {current !== 'none' && (
        <IconButton label="Comment on the rating" onClick={() => setCommenting(true)}>
          <MessageSquare size={14} aria-hidden="true" fill={turn.comment ? 'currentColor' : 'none'} />
        </IconButton>
      )}
      {rate.error && !isCommenting && (
        <span role="alert" className="text-error">
          {messageOf(rate.error)}
        </span>
      )}
      {isCommenting && (
        <CommentDialog
          comment={turn.comment ?? ''}
          sending={rate}
          onSend={(comment) => rate.mutate({ rating: current, comment })}
          onClose={() => setCommenting(false)}
        />
      )}
    </span>
  )
}

function CommentDialog({
  comment,
  sending,
  onSend,
  onClose,
}: {
  comment: string
  sending: { isPending: boolean; error: unknown }
  onSend: (comment: string) => void
  onClose: () => void
}) {
  const [text, setText] = useState(comment)
  return (
    <FormDialog
      title="Comment on the rating"
      description="The comment is kept with the score user_feedback of the trace."
      onClose={onClose}
      sending={{ ...sending, mutate: () => onSend(text) }}
      action="Save comment"
      busy="Saving…"
    >
      <Field label="Comment">
        {(ids) => (
          <Textarea
            {...ids}
            rows={3}
            maxLength={10_000}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
