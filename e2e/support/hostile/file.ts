/** A malicious or damaged file. */
export interface HostileFile {
  /** Ends with the file extension of the upload. */
  name: string
  content: Uint8Array | string
}

/** Files of one type, by the name of their defect. */
export function filesOf(extension: string, contents: Record<string, Uint8Array | string>): HostileFile[] {
  return Object.entries(contents).map(([what, content]) => ({ name: `${what}.${extension}`, content }))
}
