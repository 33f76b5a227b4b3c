/**
 * Runs of combining marks that are longer than in any real text. U+FF9E and U+FF9F become marks in the forms NFKC and
 * NFKD.
 */
const longRun = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/** Like `String.prototype.normalize`, which sorts marks in quadratic time. So only the first 30 marks of a run remain. */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return text.replace(longRun, '$1').normalize(form)
}
