import { stem } from '../../../lib/text.ts'
import { baseStem } from './lexicon.ts'

/** The order of steps and of items. */

const markers =
  /\b(?:first(?:ly)?|then|next|afterwards?|after(?: that)?|finally|lastly|last|before|followed by|subsequently|once|second(?:ly)?|third(?:ly)?|step \d+|in that order)\b|(?:^|\n)\s*\d+[.)]/i
const asksForOrder = /\b(?:order|steps?|sequence|procedure|stages?|phases?|ranking|ranked|sort(?:ed)?)\b/i
const asksHow = /\bhow (?:do|does|can|should|to|is|are)\b/i

/** Whether the order of the parts of the expected answer matters. */
export function isSequence(question: string, expected: string): boolean {
  const count = expected.split(/,|;|\n|\band\b|\bthen\b|[.!?]\s/).length
  if (count < 2) return false
  return markers.test(expected) || asksForOrder.test(question) || (asksHow.test(question) && count > 2)
}

/** Words that do not identify a step. */
const connecting =
  /^(?:first|firstly|then|next|after|afterwards|afterward|finally|lastly|last|before|once|when|second|secondly|third|thirdly|step|followed|subsequently|again|only|end|begin|start|you|your|it|its|them|they|is|are|was|were|be|been|have|has|had|the|a|an|and|or|to|of|in|on|at|for|with|by|from|this|that|that's|do|does|did|will|should|must|let|later|prior|until|while|as|soon)$/

interface Step {
  word: string
  place: number
}

/** The content words of a text in the order of time: "A after B" gives B, A. */
function stepsOf(text: string): Step[] {
  const steps: Step[] = []
  const sentences = text.toLowerCase().split(/[.!?;\n]+(?=\s|$)/)
  let place = 0
  for (const sentence of sentences) {
    for (const clause of inTime(sentence)) {
      for (const word of clause.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []) {
        if (!connecting.test(word)) steps.push({ word: stemOf(word), place: place++ })
      }
    }
  }
  return steps
}

function stemOf(word: string): string {
  return baseStem(word) || stem(word)
}

const laterFirst = String.raw`(?:only )?(?:after(?!wards?\b| that\b)|once|as soon as|when|following)`
const leading = /^\s*(?:and |but )?before\s+([^,]+),\s*(.+)$/
const inner = new RegExp(String.raw`^(.+?)[\s,]+${laterFirst}\s+(.+)$`)
const isLeading = new RegExp(String.raw`^\s*(?:and |but )?${laterFirst}\b`)

/** The clauses of a sentence in the order of time. */
function inTime(sentence: string): string[] {
  const before = leading.exec(sentence)
  if (before) return [before[2] ?? '', before[1] ?? '']
  if (isLeading.test(sentence)) return [sentence]
  const after = inner.exec(sentence)
  if (!after) return [sentence]
  // "B after A and before C"
  const [earlier = '', later = ''] = (after[2] ?? '').split(/[\s,]+(?:and|but) before\s/)
  return [earlier, after[1] ?? '', later]
}

const mostSteps = 300

/** Two steps of the expected answer that the output has in the other order. */
export function findReordered(
  question: string,
  expected: string,
  output: string,
): [earlier: string, later: string] | undefined {
  const once = (steps: readonly Step[]) => {
    const byWord = Map.groupBy(steps, ({ word }) => word)
    return new Map(
      [...byWord].flatMap(([word, all]) => (all.length === 1 && all[0] ? [[word, all[0].place]] : [])),
    )
  }
  const [wanted, stated] = [once(stepsOf(expected)), once(stepsOf(output))]
  const common = [...wanted.keys()].filter((word) => stated.has(word)).slice(0, mostSteps)
  let worst: [string, string] | undefined
  let [inverted, pairs] = [0, 0]
  for (const [index, a] of common.entries()) {
    for (const b of common.slice(index + 1)) {
      pairs++
      if ((stated.get(a) ?? 0) > (stated.get(b) ?? 0)) {
        inverted++
        worst ??= [a, b]
      }
    }
  }
  // A verb and its object may change places within a step.
  const least = asksForOrder.test(question) && common.length === wanted.size ? 0 : leastInverted
  return inverted >= 1 && inverted / pairs >= least ? worst : undefined
}

const leastInverted = 0.3
