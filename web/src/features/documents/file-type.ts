/** The extension of a file name, upper case: what kind of file it is. */
export function fileType(filename: string): string {
  const at = filename.lastIndexOf('.')
  return at > 0 ? filename.slice(at + 1).toUpperCase() : ''
}
