/** Alternatives that a text names only to reject them. */

const end = String.raw`(?=[.;!?,:)]|\s[–—-]\s|$)`
/** At most so many words, so that a whole clause is not rejected. */
const span = String.raw`(?:[\p{L}\p{N}'’%$€£.-]*[\p{L}\p{N}%]\s+){0,5}[\p{L}\p{N}'’%$€£.-]*[\p{L}\p{N}%]`

const patterns: readonly [RegExp, string][] = [
  // "not Sydney but Canberra"
  [
    new RegExp(
      String.raw`\b(?:is|are|was|were|it's)\s+not\s+(${span}),?\s+but\s+(?:rather\s+)?(?!(?:also|is|are|was|were|it|they|he|she|you|we|i|there|this|that|not|only|if|when)\b)`,
      'giu',
    ),
    'is ',
  ],
  [
    new RegExp(
      String.raw`\bnot\s+(?!only\b|just\b|merely\b|simply\b)(${span}),?\s+but\s+(?:rather\s+)?(?!(?:also|is|are|was|were|it|they|he|she|you|we|i|there|this|that|not|only|if|when)\b)`,
      'giu',
    ),
    '',
  ],
  // "the green bin, not the blue one"
  [
    new RegExp(
      String.raw`(?:,|\s[–—-])\s+(?:and\s+|but\s+)?not\s+(?!all\b|every|only\b|just\b|always\b|necessarily\b|yet\b|including\b|counting\b)(?:to\s+be\s+confused\s+with\s+)?(${span})${end}`,
      'giu',
    ),
    '',
  ],
  [new RegExp(String.raw`\(not\s+(${span})\)`, 'giu'), ''],
  // "tabs instead of spaces"
  [
    new RegExp(
      String.raw`,?\s+(?:rather\s+than|instead\s+of|as\s+opposed\s+to|in\s+place\s+of|and\s+not)\s+(${span})${end}`,
      'giu',
    ),
    '',
  ],
  [new RegExp(String.raw`^(?:rather\s+than|instead\s+of|unlike|contrary\s+to)\s+(${span}),\s+`, 'gimu'), ''],
]

export interface Asserted {
  /** The text without its rejected alternatives. */
  text: string
  rejected: readonly string[]
}

/** Separates "the landlord, not the tenant" into what it asserts and what it rejects. */
export function asserted(text: string): Asserted {
  const rejected: string[] = []
  let rest = text
  for (const [pattern, replacement] of patterns) {
    rest = rest.replace(pattern, (_, name: string) => {
      rejected.push(name)
      return replacement
    })
  }
  return rest.replace(/[^\p{L}\p{N}]+/gu, '') === '' ? { text, rejected: [] } : { text: rest, rejected }
}
