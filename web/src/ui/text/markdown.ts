import { Marked, type Token, type Tokens } from 'marked'
import { safeLink } from './safe-link.ts'

/** Markdown as a tree of bounded depth. HTML, unsafe links and all other markup stay text. */
export type Block =
  | { kind: 'paragraph'; content: Inline[] }
  | { kind: 'heading'; level: number; content: Inline[] }
  | { kind: 'list'; isOrdered: boolean; start: number; items: ListItem[] }
  | { kind: 'code'; text: string; language?: string }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'quote'; inner: Block[] }
  | { kind: 'rule' }

export interface ListItem {
  content: Inline[]
  /** Nested blocks. */
  inner: Block[]
  /** Set for items of a task list. */
  isDone?: boolean
}

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis' | 'deleted'; content: Inline[] }
  | { kind: 'link'; href: string; content: Inline[] }
  | { kind: 'image'; href: string; alt: string }
  /** `[^N]`; `lead` is the Markdown before it in its paragraph. */
  | { kind: 'citation'; index: number; lead: string }

/** Deeper blocks and marks stay text. */
const maxDepth = 20
/** Lines whose quotes and lists are nested so deep that the lexer would overflow the stack. */
const deepLine = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){25}/m

const lexer = new Marked({
  gfm: true,
  tokenizer: {
    // Tags stay text, and the Markdown between them is formatted, as in prompts with XML.
    html: () => undefined,
    tag: () => undefined,
    // A footnote is not a definition of a link, which would be invisible.
    def: (source) => (/^ {0,3}\[\^/.test(source) ? undefined : false),
  },
  extensions: [
    {
      name: 'citation',
      level: 'inline',
      // Without `start`, which would search the rest of the text at every token: texts end before brackets anyway.
      tokenizer: (source: string) => {
        const [raw, index] = /^\[\^(\d{1,4})\]/.exec(source) ?? []
        return raw === undefined ? undefined : { type: 'citation', raw, index: Number(index) }
      },
    },
  ],
})

const plain = (text: string): Inline[] => (text === '' ? [] : [{ kind: 'text', text }])

/** Parses a text of at most some ten thousand characters; see `pieces.ts` for longer texts. */
export function parseMarkdown(text: string): Block[] {
  if (!deepLine.test(text)) {
    try {
      return toBlocks(lexer.lexer(text), 0)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }
  return [{ kind: 'paragraph', content: plain(text) }]
}

export function parseInline(text: string): Inline[] {
  return parseMarkdown(text).flatMap((block) => (block.kind === 'paragraph' ? block.content : []))
}

function toBlocks(tokens: readonly Token[], depth: number): Block[] {
  return tokens.flatMap((token) => toBlock(token as Tokens.Generic, depth) ?? [])
}

function toBlock(token: Tokens.Generic, depth: number): Block | undefined {
  const asText = (): Block => ({ kind: 'paragraph', content: plain(token.raw.trim()) })
  if (depth > maxDepth) return asText()
  switch (token.type) {
    case 'space':
      return undefined
    case 'hr':
      return { kind: 'rule' }
    case 'heading':
      return { kind: 'heading', level: token.depth, content: toInlines(token.tokens ?? [], depth) }
    case 'code': {
      const [language] = (token.lang ?? '').split(/\s/)
      return { kind: 'code', text: token.text, ...(language && { language }) }
    }
    case 'blockquote':
      return { kind: 'quote', inner: toBlocks(token.tokens ?? [], depth + 1) }
    case 'list':
      return {
        kind: 'list',
        isOrdered: token.ordered,
        start: Number(token.start) || 1,
        items: token.items.map((item: Tokens.ListItem) => toItem(item, depth + 1)),
      }
    case 'table':
      return hasHiddenCells(token as Tokens.Table) ? asText() : toTable(token as Tokens.Table, depth)
    case 'paragraph':
    case 'text':
      return { kind: 'paragraph', content: toInlines(token.tokens ?? [token], depth) }
    default:
      return asText()
  }
}

function toItem({ tokens, task, checked }: Tokens.ListItem, depth: number): ListItem {
  const shown = tokens.filter(({ type }) => type !== 'checkbox' && type !== 'space')
  const [first, ...rest] = shown as Tokens.Generic[]
  const hasText = first?.type === 'text' || first?.type === 'paragraph'
  return {
    content: hasText ? toInlines(first.tokens ?? [first], depth) : [],
    inner: toBlocks(hasText ? rest : shown, depth),
    ...(task && { isDone: checked === true }),
  }
}

/** Rows may have more cells than the head; other renderers drop these cells. */
function hasHiddenCells({ raw, header }: Tokens.Table): boolean {
  return raw.split('\n').some((line) => {
    const inside = line.trim().replace(/^\||(?<!\\)\|$/g, '')
    return (inside.match(/(?<!\\)\|/g) ?? []).length >= header.length
  })
}

function toTable({ header, rows }: Tokens.Table, depth: number): Block {
  const cell = ({ tokens }: Tokens.TableCell) => toInlines(tokens, depth)
  return { kind: 'table', head: header.map(cell), rows: rows.map((row) => row.map(cell)) }
}

/** `lead` is the Markdown before these tokens in their paragraph. */
function toInlines(tokens: readonly Token[], depth: number, lead = ''): Inline[] {
  const inlines: Inline[] = []
  let before = lead
  for (const token of tokens) {
    const inline = toInline(token as Tokens.Generic, depth, before)
    const last = inlines.at(-1)
    if (inline.kind === 'text' && last?.kind === 'text') last.text += inline.text
    else if (inline.kind !== 'text' || inline.text !== '') inlines.push(inline)
    before += token.raw
  }
  return inlines
}

const marks = { strong: 'strong', em: 'emphasis', del: 'deleted' } as const

function toInline(token: Tokens.Generic, depth: number, lead: string): Inline {
  const asText: Inline = { kind: 'text', text: token.raw }
  if (depth > maxDepth) return asText
  const inner = () => toInlines(token.tokens ?? [], depth + 1, lead)
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return { kind: marks[token.type], content: inner() }
    case 'codespan':
      return { kind: 'code', text: token.text }
    case 'link': {
      const href = safeLink(token.href)
      return href === undefined ? asText : { kind: 'link', href, content: inner() }
    }
    case 'image':
      return { kind: 'image', href: token.href, alt: token.text }
    case 'citation':
      return { kind: 'citation', index: token.index, lead }
    case 'br':
      return { kind: 'text', text: '\n' }
    case 'escape':
      return { kind: 'text', text: token.text }
    case 'text':
      if (token.tokens) {
        const [only, ...others] = inner()
        return only && others.length === 0 ? only : asText
      }
      return asText
    default:
      return asText
  }
}
