import { plural } from '../format.ts'

/** A button that shows more of a long text. */
export function ShowMore({ left, onClick }: { left: number; onClick: () => void }) {
  return (
    <button type="button" className="link self-start" onClick={onClick}>
      Show more ({plural(left, 'character')} left)
    </button>
  )
}
