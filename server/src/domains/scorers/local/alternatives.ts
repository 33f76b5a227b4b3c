/** Answers that name several alternatives, or none of them for certain. */

const maybe =
  /\b(?:could (?:also )?be|might (?:also )?be|may (?:also )?be|possibly|perhaps|either|probably|not (?:entirely )?(?:sure|certain)|depends|unclear|or maybe|or possibly|it varies)\b/i
const shortAnswer = 8

/**
 * The alternatives of an output that does not decide: "Paris or Lyon", "it could be Paris, Lyon or Nice". Undefined if
 * the expected answer has alternatives of its own.
 */
export function findUndecided(
  expected: string,
  output: string,
  isKnown: (words: string) => boolean,
): string | undefined {
  if (/\bor\b/i.test(expected) || maybe.test(expected)) return undefined
  const doubts = output.match(/\b(?:maybe|perhaps|possibly|might be|could be)\b/gi)?.length ?? 0
  if (doubts > 1 && !isKnown(output)) return output
  for (const sentence of output.split(/[.!?;\n]+(?=\s|$)/)) {
    const match =
      /\bor\b(?! (?:more|less|older|younger|above|below|later|earlier|higher|lower|over|under|longer|so|otherwise)\b)/i.exec(
        sentence,
      )
    if (!match) continue
    const count = sentence.trim().split(/\s+/).length
    if (!maybe.test(sentence) && count > shortAnswer) continue
    const before = sentence.slice(0, match.index).trim().split(/\s+/).at(-1) ?? ''
    const other = sentence.slice(match.index + 2)
    if ((maybe.test(sentence) || isKnown(before)) && !isKnown(other)) return sentence.trim()
  }
  return undefined
}
