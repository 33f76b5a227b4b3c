import type { CodeExtension } from '@cairn/contract'
import { linesOf } from './lines.ts'
import { decodeText } from './plain-text.ts'
import type { Break, ExtractedDocument, Heading } from './types.ts'

/** Longer lines are data or minified code without declarations. Skipping them also bounds the time of the patterns. */
const maxSymbolLine = 300

/** Cost of beginning a chunk at a line after an empty one, and at any other line; see `Break`. */
const [afterEmptyLine, atLine] = [0.2, 0.45]

const modifiers =
  '(?:(?:export|default|declare|public|private|protected|internal|static|final|sealed|abstract|partial|async|override|virtual|readonly|unsafe|extern|inline|constexpr|typedef) +)*'
const typeDeclaration = new RegExp(
  `^\\s*${modifiers}(?:class|interface|enum(?: class)?|record|struct|trait|namespace|module|type) +([\\w$.:]+)`,
)
const functionDeclaration = new RegExp(`^\\s*${modifiers}function\\b *[*&]? *([\\w$:-]+)`)
const functionConstant = new RegExp(
  `^\\s*${modifiers}(?:const|let|var) +([\\w$]+)[^=]* = (?:async *)?(?:function\\b|\\([^=]*\\)[^=]*=>|[\\w$]+ *=>)`,
)
const method = new RegExp(`^\\s+${modifiers}(?:get |set |[*#] *)?([\\w$]+)\\([^;]*\\)[^;=]*\\{$`)
const typedFunction =
  /^\s*(?!return\b|else\b|new\b|throw\b|using\b|#)(?:[\w:<>,[\]*&?~@]+ +)+[*&]*([\w:~]+) *\([^;={}]*(?:\)[^;=]*)?\{?\s*\}?$/

/** Patterns of lines that declare a symbol, by language; the first group is the symbol's name. */
const symbols: Record<CodeExtension, readonly RegExp[]> = {
  js: [typeDeclaration, functionDeclaration, functionConstant, method],
  ts: [typeDeclaration, functionDeclaration, functionConstant, method],
  py: [/^\s*(?:async +)?(?:def|class) +(\w+)/],
  java: [typeDeclaration, typedFunction],
  c: [typeDeclaration, typedFunction],
  cpp: [typeDeclaration, typedFunction],
  h: [typeDeclaration, typedFunction],
  cs: [typeDeclaration, typedFunction],
  php: [typeDeclaration, functionDeclaration],
  rb: [/^\s*(?:def|class|module) +([\w.:?!=]+)/],
  sh: [/^\s*function +([\w:.-]+)/, /^\s*([\w:.-]+) *\(\)/],
  bat: [/^\s*:(\w[\w.-]*)/],
  ps1: [/^\s*(?:function|filter|class|enum|workflow) +([\w:-]+)/i],
}

/** Words that can precede parentheses but are not function names. */
const keywords = new Set(
  'if else for foreach while do switch case catch return with using lock sizeof new function'.split(' '),
)

/** A comment, decorator or attribute; it belongs to the symbol below it. */
const annotation = /^\s*(?:\/\/|\/?\*|#(?!include|define|if|else|endif|pragma)|--|@|\[\w|::|rem\b|<#|#>)/i

/**
 * Returns a code file unchanged; its headings are the names of functions, classes and similar. @throws
 * ExtractionError
 */
export function extractCode(bytes: Uint8Array, extension: CodeExtension): ExtractedDocument {
  const text = decodeText(bytes)
  return { text, pages: [], ...outline(text, symbols[extension]) }
}

function outline(text: string, patterns: readonly RegExp[]): { headings: Heading[]; breaks: Break[] } {
  const headings: Heading[] = []
  const breaks: Break[] = []
  let cost = atLine
  let annotations: Break | undefined
  for (const { start, line } of linesOf(text)) {
    if (line.trim() === '') {
      cost = afterEmptyLine
      annotations = undefined
      continue
    }
    const at = start + indentOf(line)
    const title = symbolIn(line, patterns)
    const first = annotations ?? { at, cost }
    if (title !== undefined) {
      headings.push({ start: first.at, level: 1 + indentOf(line), title })
      first.cost = 0
      first.isHeading = true
    }
    if (!annotations) breaks.push(first)
    annotations = title === undefined && annotation.test(line) ? first : undefined
    cost = atLine
  }
  return { headings, breaks }
}

function symbolIn(line: string, patterns: readonly RegExp[]): string | undefined {
  if (line.length > maxSymbolLine) return undefined
  const trimmed = line.trimEnd()
  for (const pattern of patterns) {
    const name = pattern.exec(trimmed)?.[1]
    if (name !== undefined && !keywords.has(name)) return name
  }
  return undefined
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
