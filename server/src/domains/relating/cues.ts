import type { Passage } from './types.ts'

/**
 * Cues (signal words) for the role of a passage in its document. The first four are numbers of cues per sixty words,
 * at most 3; cues in the first sentence count twice, and a fitting title or definition adds 1. Cues exist for English
 * only.
 */
export interface Cues {
  /** Announces the content of later passages. */
  overview: number
  /** Sums up earlier passages. */
  conclusion: number
  /** Reasons, mechanisms, definitions. */
  explanation: number
  /** Examples, studies, measurements. */
  evidence: number
  /** Numbers per hundred characters, 0 to 2. */
  numbers: number
  /** 1 if the passage begins with a word that refers to the text before it, otherwise 0. */
  backReference: number
}

const kinds =
  'guide|chapter|section|manual|report|essay|article|paper|policy|document|handbook|study|book|page|tutorial|standard|text'
const overview = new RegExp(
  [
    String.raw`\b(?:overview|introduction|outlines?|sets? out|introduces?|at a glance)\b`,
    String.raw`\bth(?:is|e present) (?:${kinds})\b`,
    String.raw`\b(?:following|next|later|other) (?:${kinds}|parts?|steps?|pages)s?\b`,
    String.raw`\b(?:${kinds}|part)s? (?:below|that follow|\d)`,
    String.raw`\bwe (?:begin|start|first|will|studied|examined|asked|describe|present)\b`,
    String.raw`\b(?:covers|deals with|describes|tells) (?:how|what|the)\b`,
  ].join('|'),
  'gi',
)
const conclusion =
  /\b(?:in (?:summary|conclusion|short|brief|sum|the end)|to (?:sum up|conclude|summari[sz]e)|summing up|conclud(?:es?|ed|ing)|overall|all in all|taken together|altogether|on the whole|key (?:points|takeaways|lessons)|the lesson|(?:they|we|inspectors|authors) find that)\b|^(?:so|thus|hence|therefore)\b/gi
const explanation =
  /\b(?:because|reasons? (?:is|was|are|were|for|why|that|may)|the reason|since (?:it|the|they|this|both)|due to|owing to|caused? (?:by|of)|causes? (?:was|is|were|are)|th(?:is|at) (?:means|is why|is how)|which is why|therefore|as a result|explain(?:s|ed)?|in other words|works? (?:by|since|because)|defined as|known as|is called|refers to|exists (?:to|because|for))\b/gi
const definition =
  /^(?:an?\s|the\s)?[\p{L}-]+(?:\s[\p{L}-]+){0,3}\s(?:is|are|means)\s(?:an?|the|how|what|where|when)\b/iu
const evidence =
  /\b(?:for (?:example|instance)|e\.g\.|as an example|case study|in (?:a|the|one) (?:study|trial|survey|test|experiment)|trials?|survey(?:s|ed)?|census|records? of|measured|measurements?|counted|counts?|data|evidence|confirms?|confirmed|shows?|showed|per ?cent|statistics|according to|on average|sample of|test bench|examples?)\b|%/gi
const backReference =
  /^(?:this|these|those|such|it|they|he|she|its|their|both|the (?:former|latter|reason|same|result|cause)|however|but|also|moreover|furthermore|in addition|besides|for (?:example|instance)|as a result|therefore|thus|hence|so|because|in other words|that is|similarly|likewise|by contrast|in contrast|instead|otherwise|nevertheless|still|yet|then|after (?:this|that)|another)\b/i

const overviewTitle =
  /\b(?:introduction|overview|about|purpose|scope|abstract|synopsis|summary|preface|background)\b/i
const conclusionTitle =
  /\b(?:conclusions?|summary|findings|closing|lessons|outlook|recommendations?|in the end|wrap-?up)\b/i

const none: Cues = { overview: 0, conclusion: 0, explanation: 0, evidence: 0, numbers: 0, backReference: 0 }
const maxStrength = 3
/** Only in passages with more words, the strength of cues is divided by the length. */
const usualWords = 60

/**
 * Counts the cues of a passage.
 *
 * @param place position in the document, from 0 (first passage) to 1 (last passage): a summary can open or close it
 */
export function cuesOf({ text, headingPath }: Passage, place: number, isEnglish: boolean): Cues {
  if (!isEnglish) return none
  const body = text.replace(/^#+ .*\n+/, '')
  const start = /^.*?[.!?](?=\s)/s.exec(body)?.[0] ?? body
  const length = Math.max(1, body.split(/\s+/).length / usualWords)
  const strength = (pattern: RegExp) =>
    Math.min(maxStrength, (count(body, pattern) + count(start, pattern)) / length)
  const title = headingPath.at(-1) ?? ''
  const opens = overviewTitle.test(title) && place < 0.5
  const closes = conclusionTitle.test(title) && place >= 0.5
  return {
    overview: strength(overview) + (opens ? 1 : 0),
    conclusion: strength(conclusion) + (closes ? 1 : 0),
    explanation: strength(explanation) + (definition.test(body) ? 1 : 0),
    evidence: strength(evidence),
    numbers: Math.min(2, (100 * count(body, /\p{N}[\p{N}.,:]*/gu)) / (body.length + 100)),
    backReference: backReference.test(body) ? 1 : 0,
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
