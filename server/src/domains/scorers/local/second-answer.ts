import { isStopWord } from '../../../lib/text.ts'
import { parse, stemsOf } from './clauses.ts'
import { baseStem, groupOfWord } from './lexicon.ts'
import { isSameQuantity, type Quantity, quantitiesIn } from './quantities.ts'

/** In longer outputs, other figures and names are mostly details. */
const longestOutput = 40
const turn =
  /\b(?:although|though|in fact|actually|in reality|however|or rather|correction|on second thoughts?|but (?:really|no|not)|no, wait|which makes|that is|i\.e\.|in total|altogether|making)\b/i

/**
 * A second answer that contradicts the expected one: "two tablets. The adult dose is four tablets", "on Sunday, so Friday
 * is the last day". The output is known to contain the expected answer.
 */
export function findSecondAnswer(question: string, expected: string, output: string): string | undefined {
  if (output.split(/\s+/).length > longestOutput) return undefined
  return (
    otherQuantity(question, expected, output) ??
    otherAlternative(question, expected, output) ??
    afterTurn(question, expected, output)
  )
}

/** Another figure of the same measure as the only figure of the expected answer. */
function otherQuantity(question: string, expected: string, output: string): string | undefined {
  const wanted = quantitiesIn(expected)
  const [first] = wanted
  if (wanted.length !== 1 || first?.type !== 'number') return undefined
  const kind = kindOf(first)
  if (kind === undefined) return undefined
  const asked = quantitiesIn(question)
  const isOther = (one: Quantity) =>
    one.type === 'number' &&
    kindOf(one) === kind &&
    !isSameQuantity(first, one) &&
    !asked.some((other) => isSameQuantity(other, one))
  return quantitiesIn(output).find(isOther)?.shown
}

/** The measure, or the counted noun. */
function kindOf({ unit, shown }: Extract<Quantity, { type: 'number' }>): string | undefined {
  const noun = /\p{L}{3,}$/u.exec(shown)?.[0]
  return unit?.kind ?? (noun === undefined || isStopWord(noun) ? undefined : baseStem(noun))
}

/** Another member of a group that excludes the others, such as days of the week. */
function otherAlternative(question: string, expected: string, output: string): string | undefined {
  const groups = (text: string) =>
    (text.toLowerCase().match(/\p{L}+/gu) ?? []).flatMap((word) => {
      const group = groupOfWord(word)
      return group === undefined ? [] : [{ word, group }]
    })
  const wanted = groups(expected)
  const asked = new Set(groups(question).map(({ word }) => word))
  const [only] = wanted
  if (wanted.length !== 1 || !only) return undefined
  return groups(output).find(
    ({ word, group }) => group === only.group && baseStem(word) !== baseStem(only.word) && !asked.has(word),
  )?.word
}

/** A name or a figure after words such as "in fact". */
function afterTurn(question: string, expected: string, output: string): string | undefined {
  const match = turn.exec(output)
  if (!match || turn.test(expected)) return undefined
  const rest = output.slice(match.index + match[0].length)
  const known = stemsOf(expected, question)
  const isKnown = (text: string) => known.has(baseStem(text))
  const name = parse(rest).words.find(({ isName, text }) => isName && !isKnown(text))
  if (name && parse(expected).words.some(({ isName }) => isName)) return rest.trim()
  const wanted = quantitiesIn(`${expected} ; ${question}`)
  const figure = quantitiesIn(rest).find((one) => !wanted.some((other) => isSameQuantity(other, one)))
  return figure && quantitiesIn(expected).length > 0 ? figure.shown : undefined
}
