type Language = 'bash' | 'ts' | 'js' | 'python' | 'yaml'

/** The code blocks of a Markdown text in a language. */
export function codeBlocks(markdown: string, language: Language): string[] {
  const blocks = markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)
  return [...blocks].filter(([, name]) => name === language).map(([, , code]) => code ?? '')
}

/** The only bash block with this beginning. */
export function shellBlock(markdown: string, beginning: string): string {
  const found = codeBlocks(markdown, 'bash').filter((block) => block.startsWith(beginning))
  if (found.length !== 1) throw new Error(`${found.length} bash blocks begin with ${beginning}`)
  return found[0] ?? ''
}
