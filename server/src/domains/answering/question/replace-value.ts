import { withoutAsking } from './antecedents.ts'

const preposition =
  'in|for|of|at|on|by|from|to|with|without|during|since|about|im|für|von|vom|am|bei|mit|ohne|seit|nach|en|au|aux|du|de|des|pour|avec|sans|dans|à|para|con|sin|del|al'
const year = /(?<![\p{L}\p{N}.,])(?:1[5-9]|20)\d\d(?![\p{L}\p{N}])/u
const yearBefore =
  /\b(?:(?:the )?(?:year before|previous year|prior year)|(?:im )?(?:vorjahr|jahr davor)|(?:l['’])?année (?:précédente|d['’]avant)|(?:el )?año anterior)\b/iu
const yearAfter =
  /\b(?:(?:the )?(?:year after|following year|next year)|(?:im )?(?:folgejahr|jahr danach)|(?:l['’])?année (?:suivante|d['’]après)|(?:el )?año siguiente)\b/iu
const withPreposition = new RegExp(`^(${preposition})\\s+(.+)$`, 'iu')
const copula =
  /^(\P{L}*\p{L}+(?: \p{L}+)?? (?:is|are|was|were|ist|sind|war|waren|est|sont|était|étaient|es|son|fue|fueron|era|eran) )(.+)$/iu
/** The end of a noun phrase. */
const phraseEnd = new RegExp(
  `[?!.,;]|\\s+(?=(?:${preposition}|and|or|und|et|y|when|while|before|after)\\s)|\\s+(?=\\d{4}(?!\\d))|$`,
  'iu',
)
const nameAtStart =
  /^(?:the )?\p{Lu}[\p{L}\p{N}.&'’-]*(?: (?:(?:of|and|the) )?[\p{Lu}\d][\p{L}\p{N}.&'’-]*)*/u
const capitalized = /^(?:the |The )?\p{Lu}/u

/**
 * A question with another value: the year, name or noun of the same kind is replaced ("What were net sales in 2018?"
 * and "Canada", "in 2019" or "operating income"). If there is none, the value is added. With
 * `isAmbiguous`, the case of a single word does not tell whether it is a name, so the whole question remains.
 */
export function replaceValue(question: string, value: string, { isAmbiguous = false } = {}): string {
  const end = /[\s?!.…]*$/.exec(question)?.index ?? question.length
  const clause = question.slice(0, end)
  const isOneWord = /^\p{L}+$/u.test(value)
  if (isOneWord && isAmbiguous) return `${value}, ${withoutAsking(clause)}?`
  return `${replaceYear(clause, value) ?? replaceAfterPreposition(clause, value) ?? replaceNoun(clause, value) ?? `${clause} ${value}`}?`
}

function replaceYear(clause: string, value: string): string | undefined {
  const old = lastMatch(clause, year)
  if (!old) return undefined
  const neighbour = yearBefore.test(value) ? -1 : yearAfter.test(value) ? 1 : 0
  if (neighbour !== 0) return spliced(clause, old, String(Number(old.text) + neighbour))
  const given = year.exec(value)?.[0]
  if (given === undefined) return undefined
  const rest = value
    .replace(year, ' ')
    .trim()
    .replace(
      new RegExp(`^(?:${preposition})?\\s*(?:the )?(?:year|jahr|année|l['’]année|año|el año)?$`, 'iu'),
      '',
    )
  const replaced = spliced(clause, old, given)
  return rest === '' ? replaced : undefined
}

/** Replaces what follows the same preposition, if both are names, or neither is. */
function replaceAfterPreposition(clause: string, value: string): string | undefined {
  const [, given, object = value] = withPreposition.exec(value) ?? []
  if (given === undefined && !capitalized.test(value)) return undefined
  const pattern = new RegExp(`(?<!\\p{L})(${given ?? preposition})\\s+`, 'giu')
  for (const match of [...clause.matchAll(pattern)].reverse()) {
    const start = match.index + match[0].length
    const length = clause.slice(start).search(phraseEnd)
    const phrase = clause.slice(start, start + (length < 0 ? clause.length : length))
    const old = nameAtStart.exec(phrase)?.[0] ?? phrase
    if (old === '' || year.test(old) || capitalized.test(old) !== capitalized.test(object)) continue
    return spliced(clause, { text: old, index: start }, object)
  }
  return given === undefined ? undefined : `${clause} ${value}`
}

/** Makes "What was the weight of the ticket" of "What was the price of the ticket" and "the weight". */
function replaceNoun(clause: string, value: string): string | undefined {
  const [, before, after = ''] = copula.exec(clause) ?? []
  if (before === undefined) {
    return `${value}, ${withoutAsking(clause)}`
  }
  const length = after.search(phraseEnd)
  return `${before}${value}${after.slice(length)}`
}

function lastMatch(text: string, pattern: RegExp): { text: string; index: number } | undefined {
  const all = [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))]
  const last = all.at(-1)
  return last && { text: last[0], index: last.index }
}

function spliced(text: string, old: { text: string; index: number }, by: string): string {
  return text.slice(0, old.index) + by + text.slice(old.index + old.text.length)
}
