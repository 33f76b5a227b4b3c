const protocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

/** The address of a link that a reader may follow: an absolute one with http, https or mailto. */
export function safeLink(href: string): string | undefined {
  const url = URL.parse(href)
  return url && protocols.has(url.protocol) ? url.href : undefined
}
