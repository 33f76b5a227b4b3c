/** A file that somebody made to do harm, or that was damaged on its way. */
export interface HostileFile {
  /** Ends in the extension that it is uploaded under. */
  name: string
  content: Uint8Array | string
}

/** Files of one type, named by what is wrong with each. */
export function filesOf(extension: string, contents: Record<string, Uint8Array | string>): HostileFile[] {
  return Object.entries(contents).map(([what, content]) => ({ name: `${what}.${extension}`, content }))
}
