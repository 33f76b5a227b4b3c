import type { Turn } from '../store.ts'
import { antecedentOf, subjectOf, withoutAsking } from './antecedents.ts'
import { english, leansOnConversation, readQuestion } from './leaning.ts'
import { replaceValue } from './replace-value.ts'

/** A part of an earlier turn that completes a question; `turn` is 1 for the last turn. */
interface TakenOver {
  text: string
  from: 'question' | 'answer'
  turn: number
}

export interface CompletedQuestion {
  /** The question with the parts that it leans on; the unchanged question if it stands alone. */
  text: string
  takenOver: readonly TakenOver[]
}

/** Maximum number of turns that complete a question. */
const maxTurns = 3
/** A question that is pasted text completes no other question. */
const maxPreviousLength = 600

const opening =
  /^\s*¿?\s*(?:(?:and|but|or|so|also|what about|how about|what of|und|aber|oder|auch|was ist mit|wie sieht es mit|wie steht es (?:mit|um)|et|mais|ou alors|quid de|qu['’]en est-il (?:de|d['’]|du|des)|y|e|pero|o|también|qué hay de|qué tal|qué pasa con)(?![\p{L}\p{N}])[\s,]*)+/iu

/**
 * Completes a question that leans on the conversation from the turns before, oldest first: "And in 2019?" after "What
 * were net sales in 2018?" is "What were net sales in 2019?". A question that stands alone is returned unchanged.
 */
export function completeQuestion(question: string, history: readonly Turn[]): CompletedQuestion {
  return complete(question, history.slice(-maxTurns), 1)
}

function complete(question: string, history: readonly Turn[], turn: number): CompletedQuestion {
  const last = history.at(-1)
  if (!last || !leansOnConversation(question)) return { text: question, takenOver: [] }
  const earlier = history.slice(0, -1)
  const asked = last.question.trim()
  if (asked === '' || asked.length > maxPreviousLength) return complete(question, earlier, turn + 1)
  const previous = complete(asked, earlier, turn + 1)
  const completed = completeFrom(question.trim(), { ...last, question: previous.text }, turn)
  return { text: capitalized(completed.text), takenOver: [...completed.takenOver, ...previous.takenOver] }
}

function completeFrom(question: string, last: Turn, turn: number): CompletedQuestion {
  const whole = question.replace(/[\s?!.…]+$/, '')
  const rest = whole.replace(opening, '')
  const fromQuestion: TakenOver = { text: last.question, from: 'question', turn }
  if (rest === '') return { text: last.question, takenOver: [fromQuestion] }
  const { rules } = readQuestion(question)
  const text = rest.toLowerCase().replace(/^¿\s*/, '')
  if (rules.bare.test(text)) {
    const [, asked = '', value = ''] = rules.questionWord.exec(rest) ?? []
    const clause = `${asked} ${withoutAsking(last.question, { keepVerb: true })}`.trim()
    return { text: value === '' ? `${clause}?` : replaceValue(clause, value), takenOver: [fromQuestion] }
  }
  if (!rules.whole.test(text)) {
    const completed = replaceValue(last.question, rest, { isAmbiguous: rest === whole })
    return { text: completed, takenOver: [fromQuestion] }
  }
  if (rest !== whole && !leansOnConversation(rest)) return { text: `${rest}?`, takenOver: [] }
  return replaceReferences(`${rest}?`, last, turn)
}

const person = /^(?:he|she|him|her|his|hers)$/i
const reference =
  /\b(?:(do|doing|done|did) (?:it|that|this|so)\b|(he|she|him|her(?! \p{L})|it|they|them)\b(?!')|(his|hers|her(?= \p{L})|its|theirs|their)\b|(there)\b)/giu

/** Replaces the pronouns of an English question; other questions get the parts that they refer to at their end. */
function replaceReferences(question: string, last: Turn, turn: number): CompletedQuestion {
  const takenOver: TakenOver[] = []
  const take = (text: string, from: TakenOver['from']) => {
    if (!takenOver.some((taken) => taken.text === text)) takenOver.push({ text, from, turn })
    return text
  }
  const isEnglish = readQuestion(question).rules === english
  let replaced = !isEnglish
    ? question
    : question.replace(reference, (word, deed, pronoun, possessive, there) => {
        if (deed !== undefined) return take(withoutAsking(last.question), 'question')
        const role = there ? 'place' : person.test(word) ? 'person' : possessive ? 'owner' : 'thing'
        const found = antecedentOf(last, role)
        if (!found) return word
        take(found.text, found.from)
        if (there) return `in ${found.text}`
        return pronoun ? found.text : `${found.text}${/s$/.test(found.text) ? '’' : '’s'}`
      })
  if (takenOver.length === 0) {
    const who = antecedentOf(last, 'answer')
    const content = subjectOf(last)
    const parts = [
      ...(who ? [take(who.text, who.from)] : []),
      ...(content ? [take(content, 'question')] : []),
    ]
    replaced = `${question.replace(/\?$/, '')} (${parts.join(', ')})?`
  }
  return { text: replaced, takenOver }
}

function capitalized(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}
