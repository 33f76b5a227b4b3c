const refusals = [
  /\b(?:i|we)(?: am|'m| are|'re)? (?:do not|don't|cannot|can't|can not|could not|couldn't|am unable to|unable to|am not able to|not able to|not allowed to|won't|will not)(?: be able to)? (?:know|help|assist|answer|find|provide|give|say|tell|access|determine|comment|discuss)/,
  /\b(?:i|we) have no (?:access|information|idea|knowledge|data)/,
  /\b(?:i am|i'm|we are|we're) (?:not (?:sure|certain|aware)|unable|sorry)\b/,
  /\bas an ai\b/,
  /\bno (?:\w+ ){0,2}(?:information|answer|results?|mention|data)\b.*\b(?:found|available|given|provided|exists?)\b/,
  /\b(?:not|isn't) enough (?:information|context|data)\b/,
  /\b(?:documents?|sources?|context|texts?|passages?)\b.{0,20}\b(?:does not|do not|doesn't|don't) (?:say|mention|contain|tell|state|include|provide|specify)\b/,
  /\b(?:nothing|not) (?:\w+ ){0,3}found\b.*\b(?:documents?|sources?|context)\b/,
  /^(?:sorry|unfortunately|apologies)\b.*\b(?:can't|cannot|can not|unable|don't|do not|couldn't)\b/,
  /\b(?:it is|it's|that is|that's) (?:unknown|unclear|not known)\b/,
]

/** The refusal in a text; undefined if the text answers. */
export function findRefusal(text: string): string | undefined {
  const even = text.toLowerCase().replace(/[‘’ʼ]/g, "'").slice(0, 2000)
  for (const pattern of refusals) {
    const found = pattern.exec(even)
    if (found) return found[0].slice(0, 80)
  }
  return undefined
}

const noAnswer =
  /^\W*(?:there is |the (?:documents?|texts?|files?|sources?) (?:have|has|gives?|contains?) )?(?:no|not an?) (?:answer|information|data|mention)\b|^\W*(?:it is |it's |this is |that is )?not (?:stated|given|specified|mentioned|available|answered|found|in the)\b|\b(?:not|isn't|aren't) (?:\w+ )?(?:in|by) the (?:documents?|texts?|files?|sources?|context)\b|^\W*(?:unknown|cannot be (?:answered|determined|known)|unanswerable|n\/a)\b|\b(?:documents?|texts?|files?|sources?|context)\b.{0,30} (?:don't|doesn't|do not|does not) (?:cover|say|mention|contain|state|include|tell)\b/i
const longestNoAnswer = 15

/** Whether an expected answer says that there is none. */
export function expectsRefusal(text: string): boolean {
  const even = text.replace(/[‘’ʼ]/g, "'")
  return (
    even.split(/\s+/).length <= longestNoAnswer &&
    (noAnswer.test(even) || /^\W*(?:i (?:don't|do not) know|no idea)\b/i.test(even))
  )
}
