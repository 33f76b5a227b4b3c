import { Search } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Input } from '../../ui/field.tsx'

/** Time without a key press after which the list searches. */
const pauseMs = 300

/** A field that searches while the user types: after a pause, on Enter, and at once when it is cleared. */
export function SearchField({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const [draft, setDraft] = useState(text)
  const latest = useRef({ text, onSearch, asked: text })
  latest.current.onSearch = onSearch
  // A link, a saved view or Back changes the text from outside; the answer to a search of this field does not.
  if (latest.current.text !== text) {
    latest.current.text = text
    if (latest.current.asked !== text) setDraft(text)
    latest.current.asked = text
  }
  const search = (next: string) => {
    if (next === latest.current.asked) return
    latest.current.asked = next
    latest.current.onSearch(next)
  }
  const asked = useRef(search)
  asked.current = search
  useEffect(() => {
    const timer = setTimeout(() => asked.current(draft.trim()), draft === '' ? 0 : pauseMs)
    return () => clearTimeout(timer)
  }, [draft])
  return (
    <form
      className="relative w-full sm:w-60"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        search(draft.trim())
      }}
    >
      <Search size={14} className="absolute top-[7px] left-2 text-fg-3" aria-hidden="true" />
      <Input
        type="search"
        data-search
        aria-label="Search in inputs and outputs"
        placeholder="Search in inputs and outputs"
        className="pl-7"
        value={draft}
        maxLength={1000}
        onChange={({ target }) => setDraft(target.value)}
      />
    </form>
  )
}
