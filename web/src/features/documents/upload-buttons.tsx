import { supportedExtensions } from '@cairn/contract/extensions'
import { Tags } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'

const accepted = supportedExtensions.map((extension) => `.${extension}`).join(',')

/** The file dialog of the browser: the hidden input to render, and a function that opens it. */
export function useFilePicker(onFiles: (files: readonly File[], withScopes: boolean) => void): {
  picker: ReactNode
  pick: (withScopes: boolean) => void
} {
  const input = useRef<HTMLInputElement>(null)
  const withScopes = useRef(false)
  const picker = (
    <input
      ref={input}
      type="file"
      multiple
      accept={accepted}
      className="hidden"
      aria-label="Files to upload"
      onChange={(event) => {
        onFiles([...(event.target.files ?? [])], withScopes.current)
        event.target.value = ''
      }}
    />
  )
  const pick = (scopes: boolean) => {
    withScopes.current = scopes
    input.current?.click()
  }
  return { picker, pick }
}

/** Buttons that choose files. If the chat defines scopes, their values are always asked for. */
export function UploadButtons({
  hasScopes,
  onPick,
}: {
  hasScopes: boolean
  onPick: (withScopes: boolean) => void
}) {
  return (
    <div className="flex items-center gap-1">
      <Button variant="primary" onClick={() => onPick(hasScopes)}>
        Upload files
      </Button>
      {!hasScopes && (
        <IconButton label="Upload files with scope values" variant="default" onClick={() => onPick(true)}>
          <Tags size={14} />
        </IconButton>
      )}
    </div>
  )
}
