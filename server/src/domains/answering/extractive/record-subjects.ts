const quotedKey = /^[\s{,]*"([^"]{1,80})"\s*:\s*[^\s{[]/

/**
 * Returns a function that takes the lines in order, and returns for each line the first line of its data record, or
 * ''. A record ends where a brace opens or a key is repeated.
 */
export function recordSubjects(): (line: string) => string {
  const keys = new Set<string>()
  let subject = ''
  return (line) => {
    const key = quotedKey.exec(line)?.[1]
    if (/\{\s*$/.test(line) || (key !== undefined && keys.has(key))) {
      keys.clear()
      subject = ''
    }
    if (key === undefined) return ''
    keys.add(key)
    const above = subject
    if (subject === '') subject = line.replace(/\s+/g, ' ').trim()
    return above
  }
}
