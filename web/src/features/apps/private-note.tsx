import { Lock } from 'lucide-react'

/** What an administrator cannot see, wherever users are spoken of. */
export function PrivateNote() {
  return (
    <p className="flex items-start gap-2 text-fg-2">
      <Lock size={14} className="mt-[3px] shrink-0" aria-hidden="true" />
      <span className="max-w-prose">
        What users store and ask cannot be read here: file names, texts, questions and answers are shown to
        nobody but the user. You see ids, numbers and sizes.
      </span>
    </p>
  )
}
