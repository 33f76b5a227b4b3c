/** Saves a text as a file through the browser. */
export function download(text: string, name: string, type: string): void {
  downloadBlob(new Blob([text], { type }), name)
}

/** Saves a file through the browser. */
export function downloadBlob(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download must have begun before the URL is revoked.
  setTimeout(URL.revokeObjectURL, 60_000, url)
}
