import { CairnError, type SupportedExtension, supportedExtensions } from '@cairn/contract'

const maxLength = 200
/** A longer suffix after the last dot is not an extension. */
const maxExtensionLength = 20
/** The middle of a longer name is dropped first: the patterns and NFC take quadratic time for some texts of megabytes. */
const maxGivenLength = 2_000

/** A base name without path, control and special characters; `file` when nothing is left of the stem. */
export function sanitizeFilename(name: string): string {
  const base = name.slice(1 + Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')))
  const clean = withoutMiddle(base)
    .normalize('NFC')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}<>:"|?*%#;&$`'{}]/gu, '')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  const dot = clean.lastIndexOf('.')
  const hasExtension = dot > 0 && clean.length - dot <= maxExtensionLength
  const stem = hasExtension ? clean.slice(0, dot) : clean
  const extension = hasExtension ? clean.slice(dot) : ''
  // The cut may have split a surrogate pair.
  const cut = stem.slice(0, maxLength - extension.length).replace(/[\ud800-\udbff]$/, '')
  return (cut.trimEnd() || 'file') + extension
}

/** The beginning of a long name with its end, which has the extension. */
function withoutMiddle(name: string): string {
  if (name.length <= maxGivenLength) return name
  return name.slice(0, maxGivenLength - maxExtensionLength) + name.slice(-maxExtensionLength)
}

/** @throws CairnError `unsupported_media_type` for a name without a supported extension */
export function extensionOf(filename: string): SupportedExtension {
  const known = knownExtension(filename)
  if (known) return known
  throw new CairnError(
    'unsupported_media_type',
    `file type not supported; supported are ${supportedExtensions.join(', ')}`,
  )
}

/** The extension in lower case, if it is supported. */
export function knownExtension(filename: string): SupportedExtension | undefined {
  const extension = /.\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase()
  return supportedExtensions.find((candidate) => candidate === extension)
}

/** Returns the sanitized new name. A new name without a supported extension keeps the extension of the current name. */
export function renameFile(filename: string, wanted: string): string {
  const extension = knownExtension(filename)
  const clean = sanitizeFilename(wanted)
  return extension && !knownExtension(clean) ? sanitizeFilename(`${clean}.${extension}`) : clean
}

/**
 * Makes a file id: chat, file name and Unix seconds, joined by underscores; in ASCII, so that it is safe in a URL path.
 * An `attempt` above 1 makes the ids of files with the same name and second different.
 */
export function fileIdOf(chatId: string, filename: string, nowMs: number, attempt: number): string {
  const dot = filename.lastIndexOf('.')
  const stem = filename.slice(0, dot === -1 ? undefined : dot)
  const extension = dot === -1 ? '' : filename.slice(dot)
  const ascii = stem.normalize('NFKD').replace(/[^A-Za-z0-9._-]+/g, '-')
  const unique = attempt > 1 ? `-${attempt}` : ''
  return `${chatId}_${ascii}${unique}${extension}_${Math.floor(nowMs / 1000)}`
}
