import { extensionOf, type Folder } from './folder.ts'
import { FormatError, isObject } from './read.ts'

export interface Prompt {
  template: string
  notes: string[]
}

const advice = 'name the query yourself, such as --query "{{question}}"'

function textOf(prompt: unknown, folder: Folder): string {
  const given = isObject(prompt) ? (prompt.raw ?? prompt.id) : prompt
  if (typeof given !== 'string') throw new FormatError(`the first prompt is not text: ${advice}`)
  const isFile = given.startsWith('file://') || /^[^\s{}]+\.(txt|md|json|ya?ml|js|cjs|mjs|ts|py)$/.test(given)
  if (!isFile) return given
  if (!['.txt', '.md', '.json'].includes(extensionOf(given))) {
    throw new FormatError(`the first prompt is ${given}, which is not supported: ${advice}`)
  }
  return folder.text(given)
}

/** The last user message, if the prompt is a list of messages; undefined for plain text. */
function lastUserMessage(text: string): string | undefined {
  if (!text.trimStart().startsWith('[')) return undefined
  let messages: unknown
  try {
    messages = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!Array.isArray(messages)) return undefined
  const last = messages.findLast((each) => isObject(each) && each.role === 'user')
  if (!isObject(last) || typeof last.content !== 'string') {
    throw new FormatError(`the first prompt has no text of the user: ${advice}`)
  }
  return last.content
}

/** The first prompt of a config as a template. @throws FormatError */
export function firstPrompt(prompts: unknown, folder: Folder): Prompt {
  const list: unknown[] = typeof prompts === 'object' && prompts !== null ? Object.values(prompts) : [prompts]
  const [first] = list
  if (first === undefined) throw new FormatError(`it has no prompts: ${advice}`)
  const whole = textOf(first, folder)
  const message = lastUserMessage(whole)
  // A text file may contain several prompts.
  const parts = message === undefined ? whole.split(/^---$/m) : [message]
  const count = list.length + parts.length - 1
  const notes = count > 1 ? [`only the first of ${count} prompts is used`] : []
  if (message !== undefined) notes.push('the last user message of the prompt is the query')
  return { template: (parts[0] ?? '').trim(), notes }
}
