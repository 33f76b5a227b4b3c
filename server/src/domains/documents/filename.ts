import { CairnError, type SupportedExtension, supportedExtensions } from '@cairn/contract'

const maxLength = 200

/** A base name without path, control and special characters; `file` when nothing is left of the stem. */
export function sanitizeFilename(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? ''
  const clean = base
    .normalize('NFC')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}<>:"|?*%#;&$`'{}]/gu, '')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  const dot = clean.lastIndexOf('.')
  const stem = dot > 0 ? clean.slice(0, dot) : clean
  const extension = dot > 0 ? clean.slice(dot) : ''
  return (stem.slice(0, maxLength - extension.length).trimEnd() || 'file') + extension
}

/** The type is taken from the extension; none, or one that is not supported, is `unsupported_media_type`. */
export function extensionOf(filename: string): SupportedExtension {
  const extension = /.\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase()
  const known = supportedExtensions.find((candidate) => candidate === extension)
  if (known) return known
  throw new CairnError(
    'unsupported_media_type',
    `file type not supported; supported are ${supportedExtensions.join(', ')}`,
  )
}

/**
 * Owner, file name and Unix seconds, joined by underscores; in ASCII, so that it is safe in a URL path.
 * `attempt` above 1 tells apart files of the same name and second.
 */
export function fileIdOf(owner: string, filename: string, nowMs: number, attempt: number): string {
  const dot = filename.lastIndexOf('.')
  const stem = filename.slice(0, dot === -1 ? undefined : dot)
  const extension = dot === -1 ? '' : filename.slice(dot)
  const ascii = stem.normalize('NFKD').replace(/[^A-Za-z0-9._-]+/g, '-')
  const unique = attempt > 1 ? `-${attempt}` : ''
  return `${owner}_${ascii}${unique}${extension}_${Math.floor(nowMs / 1000)}`
}
