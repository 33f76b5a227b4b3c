import type { Schema } from '../api-description.ts'
import { tinyPdf } from '../tiny-pdf.ts'
import type { Dice } from './dice.ts'
import type { Operation } from './operations.ts'
import { oddText, oddValue, schemaValue } from './values.ts'
import type { Side } from './world.ts'

type Caller = Pick<Side, 'userAnswerId'>

export interface EncodedForm {
  type: string
  body: Buffer
}

interface Part {
  name: string
  /** The file name of a part with a file. */
  filename?: string
  content: Buffer
}

const extensions = 'txt md pdf docx pptx xlsx csv json xml html yaml eml epub rtf odt exe'.split(' ')
const starts = [
  '',
  '%PDF-1.7\n',
  'PK\x03\x04',
  '<?xml version="1.0"?><a>',
  '{"a":',
  '[[[',
  'a,b\n1,"',
  '{\\rtf1 ',
]

function oddFile(dice: Dice): Part {
  const content = Buffer.from(dice.pick(starts) + oddText(dice) + JSON.stringify(oddValue(dice)))
  const names = [
    `note.${dice.pick(extensions)}`,
    '..',
    '../../note.txt',
    'CON.txt',
    '.txt',
    'ä😀.md',
    '"\\.txt',
  ]
  return { name: 'file', filename: dice.pick(names), content }
}

function validFile(dice: Dice, isPdf: boolean): Part {
  const text = `A note about the number ${dice.below(1_000_000_000)}.`
  if (isPdf) return { name: 'file', filename: 'note.pdf', content: tinyPdf(text) }
  return { name: 'file', filename: 'note.txt', content: Buffer.from(text) }
}

const files = ['file', 'files']

/** The fields that an application needs; its other fields are optional. */
const registration: Record<string, string> = {
  app_name: 'an app',
  issuer: 'https://login.example.com',
  allowed_audiences: '["the-client"]',
}
const choices = ['text_content', 'text_contents', 'content_name', 'content_names']

/** The parts of a valid form. */
function validParts(dice: Dice, { path, form }: Operation, { userAnswerId }: Caller): Part[] {
  const { properties = {}, required = [] } = form ?? {}
  const fileName = files.find((name) => name in properties)
  const hasTexts = choices.some((name) => name in properties)
  const isFile = fileName !== undefined && (!hasTexts || dice.chance(0.5))
  const isWanted = (name: string) =>
    required.includes(name) || choices.includes(name) || (name === 'scope_filters' && dice.chance(0.2))
  const others = Object.entries(properties).filter(
    ([name]) => !files.includes(name) && (isFile ? required.includes(name) : isWanted(name)),
  )
  const known: Record<string, string> = { ...registration, answer_id: userAnswerId }
  const texts = others.map(([name, schema]: [string, Schema]) => ({
    name,
    content: Buffer.from(known[name] ?? String(schemaValue(dice, schema, name))),
  }))
  const file = isFile ? [{ ...validFile(dice, path.includes('pdf')), name: fileName }] : []
  return [...file, ...texts]
}

function mutateParts(dice: Dice, parts: Part[]): void {
  const at = dice.below(parts.length)
  const part = parts[at]
  const kind = dice.weighted({ file: 3, text: 3, remove: 1, repeat: 1, extra: 1 })
  if (kind === 'extra' || part === undefined) {
    parts.push({
      name: dice.pick(['', 'x', '__proto__', 'scope_values']),
      content: Buffer.from(oddText(dice)),
    })
  } else if (kind === 'remove') parts.splice(at, 1)
  else if (kind === 'repeat') parts.push(...Array.from({ length: dice.pick([1, 15, 60]) }, () => part))
  else if (kind === 'file') parts[at] = { ...oddFile(dice), name: part.name }
  else
    parts[at] = {
      ...part,
      content: Buffer.from(dice.chance(0.5) ? oddText(dice) : (JSON.stringify(oddValue(dice)) ?? '')),
    }
}

function encodeMultipart(parts: readonly Part[]): EncodedForm {
  const boundary = 'the-boundary-of-the-parts'
  const encoded = parts.flatMap(({ name, filename, content }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
    return [Buffer.from(head), content, Buffer.from('\r\n')]
  })
  const body = Buffer.concat([...encoded, Buffer.from(`--${boundary}--\r\n`)])
  return { type: `multipart/form-data; boundary=${boundary}`, body }
}

function encodeUrl(parts: readonly Part[]): EncodedForm {
  const fields = parts.map(({ name, content }): [string, string] => [name, content.toString()])
  const body = Buffer.from(new URLSearchParams(fields).toString())
  return { type: 'application/x-www-form-urlencoded', body }
}

/** A valid form. */
export function validForm(dice: Dice, operation: Operation, caller: Caller): EncodedForm {
  return encodeMultipart(validParts(dice, operation, caller))
}

/** A form with some changed parts, in either encoding, or incomplete. */
export function mutatedForm(dice: Dice, operation: Operation, caller: Caller): EncodedForm {
  const parts = validParts(dice, operation, caller)
  if (dice.chance(0.5)) for (let at = 0; at <= dice.below(3); at++) mutateParts(dice, parts)
  const isUrl = dice.chance(operation.takesUrlencoded ? 0.5 : 0.05)
  const form = isUrl ? encodeUrl(parts) : encodeMultipart(parts)
  return dice.chance(0.1) ? { ...form, body: form.body.subarray(0, dice.below(form.body.length)) } : form
}
