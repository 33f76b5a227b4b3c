import { inflateSync } from 'node:zlib'
import { ExtractionError } from './errors.ts'

/** Maximum inflated size of an object stream; real ones are much smaller. */
const maxObjectStreamBytes = 32 * 1024 * 1024

/** Much longer than real literal strings. Without a limit, unclosed strings would take quadratic time. */
const maxStringLength = 100_000

const activeActions = new Set(['JavaScript', 'Launch'])

/** White space, then a comment, a name, a string's opening, or any other single character. */
const lexeme = /[\0\t\n\f\r ]+|%[^\r\n]*|\/([^\0\t\n\f\r ()<>[\]{}/%]*)|\(|[^\0\t\n\f\r ()/%]+|[\s\S]/y

const streamStart = />>[\0\t\n\f\r ]*stream\r?\n?/g

/**
 * Rejects a PDF with a JavaScript or launch action in any object, reachable or not, also in compressed object streams
 * and with escaped names (`/J#61vaScript`). Page content and literal strings are not checked, because text about
 * scripts is harmless.
 *
 * pdf.ts also checks the actions that pdf.js reports, but pdf.js does not report launch actions.
 *
 * @throws ExtractionError `malicious`
 */
export function refuseActivePdf(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isAlsoZip(file)) throw new ExtractionError('malicious', 'The file is a PDF and an archive at once.')
  const { objects, objectStreams } = splitStreams(file)
  const parts = [objects, ...objectStreams.map(inflate)]
  if (parts.some(hasActiveAction)) {
    throw new ExtractionError(
      'malicious',
      'The PDF contains JavaScript or launch actions, which are not accepted.',
    )
  }
}

/**
 * True if the file ends with a ZIP end-of-central-directory record whose comment reaches exactly to the end of the
 * file.
 */
function isAlsoZip(file: Buffer): boolean {
  const at = file.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  return at >= 0 && at + 22 <= file.length && at + 22 + file.readUInt16LE(at + 20) === file.length
}

/** The file's text without stream bodies, and the still compressed bodies of its object streams. */
function splitStreams(file: Buffer): { objects: string; objectStreams: Buffer[] } {
  const text = file.toString('latin1')
  const outside: string[] = []
  const objectStreams: Buffer[] = []
  let from = 0
  streamStart.lastIndex = 0
  for (let match = streamStart.exec(text); match; match = streamStart.exec(text)) {
    const bodyStart = streamStart.lastIndex
    const bodyEnd = text.indexOf('endstream', bodyStart)
    if (bodyEnd < 0) break
    const dictionary = text.slice(Math.max(from, text.lastIndexOf('obj', match.index)), match.index)
    if (decodeName(dictionary).includes('/ObjStm')) objectStreams.push(file.subarray(bodyStart, bodyEnd))
    outside.push(text.slice(from, match.index + 2))
    from = bodyEnd
    streamStart.lastIndex = bodyEnd
  }
  outside.push(text.slice(from))
  return { objects: outside.join('\n'), objectStreams }
}

/** The inflated text of an object stream. A stream that is not deflated, or is encrypted, is returned as it is. */
function inflate(body: Buffer): string {
  try {
    return inflateSync(body, { maxOutputLength: maxObjectStreamBytes }).toString('latin1')
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw new ExtractionError('malicious', 'The PDF unpacks to far more data than it should.', { cause })
    }
    return body.toString('latin1')
  }
}

/** True if the name `/S` (the type of an action) is followed by the name of an active type. */
function hasActiveAction(objects: string): boolean {
  let previousName = ''
  lexeme.lastIndex = 0
  while (lexeme.lastIndex < objects.length) {
    const match = lexeme.exec(objects)
    if (!match) return false
    if (match[1] !== undefined) {
      const name = decodeName(match[1])
      if (previousName === 'S' && activeActions.has(name)) return true
      previousName = name
    } else if (match[0] === '(') {
      lexeme.lastIndex = endOfString(objects, lexeme.lastIndex)
      previousName = ''
    } else if (!/^[\0\t\n\f\r %]/.test(match[0])) previousName = ''
  }
  return false
}

/** Offset after the closing parenthesis of a literal string, or `from` if it is not closed. */
function endOfString(text: string, from: number): number {
  let depth = 1
  const limit = Math.min(text.length, from + maxStringLength)
  for (let at = from; at < limit; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  return from
}

function decodeName(name: string): string {
  return name.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
