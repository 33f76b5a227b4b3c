import { Dialog } from '../ui/dialog.tsx'

const keys: readonly [string, string][] = [
  ['Ctrl K or ⌘K', 'Go to a screen, a project or a trace'],
  ['/', 'Search this screen'],
  ['j and k, arrow keys', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['n and p', 'Next and previous trace of the list'],
  ['Escape', 'Close the panel or dialog'],
  ['?', 'Show these shortcuts'],
]

/** The keyboard shortcuts of the dashboard. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" open onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {keys.map(([key, does]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-sm border bg-surface px-1.5">{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
