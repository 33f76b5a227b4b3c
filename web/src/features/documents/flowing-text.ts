import { fileType } from './file-type.ts'

/** File types with meaningful line breaks, such as code and tables. */
const lined = /^(csv|json|ya?ml|xml|js|ts|py|java|c|cpp|h|cs|php|rb|sh|bat|ps1)$/i
/** Lines of at least this length count as wrapped. */
const fullLine = 60

/** Joins wrapped lines for reading. Every character keeps its offset, so that ranges of the text stay valid. */
export function flowingText(filename: string, text: string): string {
  if (lined.test(fileType(filename))) return text
  return text.replace(/^(.*\S)([ \t]*\r?\n)(?=[^\s#|>*+-])/gm, (whole, line: string, end: string) =>
    line.length >= fullLine && !line.startsWith('|') ? line + ' '.repeat(end.length) : whole,
  )
}
