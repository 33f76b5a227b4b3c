import { CopyButton } from './copy-button.tsx'
import { StatusBadge } from './status-badge.tsx'

/** A secret that the server shows only this time. */
export function SecretOnce({ what, secret }: { what: string; secret: string }) {
  return (
    <div className="flex flex-col gap-2 rounded-md border border-warning bg-warning-surface p-3">
      <StatusBadge kind="warning">{`Copy the ${what} now: it is not shown again.`}</StatusBadge>
      <div className="flex items-center gap-2">
        <code className="min-w-0 flex-1 break-all select-all">{secret}</code>
        <CopyButton text={secret} label={`Copy the ${what}`} />
      </div>
    </div>
  )
}
