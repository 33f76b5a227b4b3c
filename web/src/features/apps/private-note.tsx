import { Lock } from 'lucide-react'

/** Tells administrators that they cannot see the data of users. */
export function PrivateNote() {
  return (
    <p className="flex items-start gap-2 text-fg-2">
      <Lock size={14} className="mt-[3px] shrink-0" aria-hidden="true" />
      <span className="max-w-prose">
        Only users themselves see their file names, texts, questions and answers. You see ids, numbers and
        sizes.
      </span>
    </p>
  )
}
