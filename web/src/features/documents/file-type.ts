/** The extension of a file name in upper case. */
export function fileType(filename: string): string {
  const at = filename.lastIndexOf('.')
  return at > 0 ? filename.slice(at + 1).toUpperCase() : ''
}
