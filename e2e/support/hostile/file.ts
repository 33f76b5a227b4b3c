/** A malicious or damaged file. */
export interface HostileFile {
  /** File name with the extension for the upload. */
  name: string
  content: Uint8Array | string
}

/** Files of one type, named after their faults. */
export function filesOf(extension: string, contents: Record<string, Uint8Array | string>): HostileFile[] {
  return Object.entries(contents).map(([fault, content]) => ({ name: `${fault}.${extension}`, content }))
}
