import type { Turn } from '../store.ts'
import { readQuestion } from './leaning.ts'

/** A text of a turn to which a later question refers. */
export interface Antecedent {
  text: string
  from: 'question' | 'answer'
}

/** The role of the referring word: he or she, an owner ("its"), another thing ("it"), a place ("there"). */
export type Role = 'person' | 'owner' | 'thing' | 'place' | 'answer'

const asksForPerson = /^\W*(?:who|whom|whose|wer|wen|wem|qui|quién|quiénes)\b/iu
const asksForPlace = /^\W*(?:where|wo|où|dónde|(?:in )?(?:which|what) (?:city|town|country|place|state))\b/iu
const auxiliary =
  /^(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must|ist|sind|war|waren|hat|haben|hatte|hatten|wird|werden|wurde|wurden|kann|können|est|sont|était|étaient|a|ont|es|son|era|fue|fueron|ha|han)$/iu
const asking =
  /^\W*(?:(?:in|at|on|by|for|from|to|with|since|seit|bis) )?(?:how (?:much|many) (?!(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must)\b)\p{L}+|how (?:much|many|long|often|far|old|high|big)|(?:what|which) (?!(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)\b)\p{L}+(?= (?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must)\b)|who|whom|whose|what|which|when|where|why|how|wie (?:viele?|lange|oft|hoch|groß)|wann|wo|wer|wen|wem|wie|was|warum|wieso|weshalb|welche[rsnm]?|woher|wohin|quand|où|qui|quoi|comment|pourquoi|combien|quel(?:le)?s?|est-ce que|por qué|cuándo|dónde|quién(?:es)?|qué|cuál(?:es)?|cómo|cuánt[oa]s?)(?!\p{L})\s*/iu
const marker = /\s*\[\^?\d+\]/g
/** Words that may join the capitalized words of a name. */
const joint = '(?:of|the|and|de|del|la|le|du|des|von|van|der|den|für|&)'
const capital = "(?:\\p{Lu}|\\d+\\p{Lu})[\\p{L}\\p{N}.&’'-]*"
const name = new RegExp(`${capital}(?: (?:${joint} ){0,2}(?:${capital}|\\d[\\p{L}\\p{N}-]*))*`, 'gu')
const notName =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|I|The|A|An|In|On|At|It|He|She|They|This|That|These|Those|There|Its|His|Her|By|For|From|After|Before|Since|Der|Die|Das|Ein|Eine|Im|Am|Er|Sie|Es|Le|La|Les|L|Un|Une|Il|Elle|En|El|Los|Las|Una|Nothing|No|Yes)$/u
const maxAnswerLength = 600
const maxName = 80

/** A question without its question words, and without its auxiliary verb unless `keepVerb`. */
export function withoutAsking(question: string, { keepVerb = false } = {}): string {
  const clause = question
    .trim()
    .replace(/[\s?!.…]+$/, '')
    .replace(asking, '')
    .replace(/^¿\s*/, '')
  const [first = '', ...rest] = clause.split(/\s+/)
  return !keepVerb && auxiliary.test(first) ? rest.join(' ') : clause
}

/** The words of a question that name something. */
function contentOf(question: string): string {
  const { rules } = readQuestion(question)
  const kept = withoutAsking(question)
    .split(/\s+/)
    .filter((word) => !rules.empty.has(word.toLowerCase().replace(/[^\p{L}\p{N}'-]/gu, '')))
  return kept.join(' ')
}

/** The text that a referring word of the next question probably means. */
export function antecedentOf({ question, answer }: Turn, role: Role): Antecedent | undefined {
  const asked = withoutAsking(question)
  const said = answer.slice(0, maxAnswerLength).replace(marker, '')
  const inAnswer = namesIn(said).filter((found) => !question.includes(found) && !found.includes('_'))
  const first = inAnswer.find((found) => role !== 'person' || found.includes(' ')) ?? inAnswer[0]
  const answered = first === undefined ? undefined : { text: first, from: 'answer' as const }
  if (role === 'answer') return asksForPerson.test(question) ? answered : undefined
  if (role === 'person' && asksForPerson.test(question) && answered) return answered
  if (role === 'place') {
    const place = / (?:in|at|near|to) (?:the )?(\p{Lu}[\p{L} ]*\p{L})/u.exec(question)?.[1]
    if (asksForPlace.test(question) && answered) return answered
    return place ? { text: place, from: 'question' } : undefined
  }
  const names = namesIn(` ${asked}`)
  const named = role === 'thing' ? names.at(-1) : names[0]
  if (named !== undefined) {
    const whole = role === 'thing' ? nounPhraseWith(named, asked) : named
    return { text: whole, from: 'question' }
  }
  const shared = sharedPhrase(asked, said)
  if (shared !== '') return { text: shared, from: 'question' }
  if (answered) return answered
  const content = contentOf(question)
  return content === '' ? undefined : { text: content, from: 'question' }
}

/** Names in a text: runs of capitalized words. A single word at the beginning of a sentence is not one. */
function namesIn(text: string): string[] {
  const found: string[] = []
  for (const { 0: run, index } of text.matchAll(name)) {
    const cleaned = withoutEmptyEnds(run).replace(/['’]s$|[.'’-]+$/u, '')
    const isFirst = /^$|[.!?:;–]\s*$/.test(text.slice(0, index))
    if (cleaned === '' || cleaned.length > maxName || (isFirst && !/[ \d]/.test(cleaned))) continue
    found.push(cleaned)
  }
  return found
}

function withoutEmptyEnds(run: string): string {
  const parts = run.split(' ')
  while (parts.length > 0 && notName.test(parts[0] ?? '')) parts.shift()
  while (parts.length > 0 && notName.test(parts.at(-1) ?? '')) parts.pop()
  return parts.join(' ')
}

/** "the ferry to Hiiumaa" for Hiiumaa. */
function nounPhraseWith(named: string, text: string): string {
  const before = text.slice(0, Math.max(0, text.indexOf(named)))
  const start = /\b(?:the|a|an) (?:[\p{L}'-]+ ){1,4}(?:to|for|from|in|at) (?:the )?$/iu.exec(before)
  return start ? `${start[0]}${named}` : named
}

/** The words of a question that its answer repeats in one run, otherwise all that name something. */
export function subjectOf({ question, answer }: Turn): string {
  const said = answer.slice(0, maxAnswerLength)
  return (
    (asksForPerson.test(question) ? '' : sharedPhrase(withoutAsking(question), said)) || contentOf(question)
  )
}

/** The longest run of words of a question that its answer repeats, with an article before it; '' if it is empty. */
function sharedPhrase(asked: string, said: string): string {
  const { rules } = readQuestion(asked)
  const words = asked.split(/\s+/).filter((word) => word !== '')
  const text = ` ${said.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `
  let best: string[] = []
  for (let from = 0; from < words.length; from++) {
    for (let to = words.length; to - from > best.length; to--) {
      const run = words.slice(from, to)
      const plain = run.map((word) =>
        word
          .toLowerCase()
          .replace(/[^\p{L}\p{N}]+/gu, ' ')
          .trim(),
      )
      const last = plain.at(-1) ?? ''
      if (rules.empty.has(last) || plain.every((word) => rules.empty.has(word))) continue
      if (text.includes(` ${plain.join(' ')} `)) best = run
    }
  }
  return best.join(' ')
}
