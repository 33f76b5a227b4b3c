import { Tags } from 'lucide-react'
import { useRef } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'

/** Chooses files; where the chat defines scopes, their values are asked for in any case. */
export function UploadButtons({
  onFiles,
  hasScopes,
}: {
  onFiles: (files: readonly File[], withScopes?: boolean) => void
  hasScopes: boolean
}) {
  const picker = useRef<HTMLInputElement>(null)
  const withScopes = useRef(false)
  const pick = (scopes: boolean) => {
    withScopes.current = scopes
    picker.current?.click()
  }
  return (
    <div className="flex items-center gap-1">
      <input
        ref={picker}
        type="file"
        multiple
        className="hidden"
        aria-label="Files to upload"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])], withScopes.current)
          event.target.value = ''
        }}
      />
      <Button look="primary" onClick={() => pick(hasScopes)}>
        Upload files
      </Button>
      {!hasScopes && (
        <IconButton label="Upload files with scope values" look="default" onClick={() => pick(true)}>
          <Tags size={14} />
        </IconButton>
      )}
    </div>
  )
}
