import { fileType } from './file-type.ts'

/** Files whose lines mean something, as in code and tables. */
const lined = /^(csv|json|ya?ml|xml|js|ts|py|java|c|cpp|h|cs|php|rb|sh|bat|ps1)$/i
/** A line of this length or longer was broken because it was full. */
const fullLine = 60

/**
 * A text to be read: lines that were broken for want of room flow together, others stay. Each character keeps its place,
 * so that ranges in the text hold in what is shown.
 */
export function flowingText(filename: string, text: string): string {
  if (lined.test(fileType(filename))) return text
  return text.replace(/^(.*\S)([ \t]*\r?\n)(?=[^\s#|>*+-])/gm, (whole, line: string, end: string) =>
    line.length >= fullLine && !line.startsWith('|') ? line + ' '.repeat(end.length) : whole,
  )
}
