import { CairnError, limits } from '@cairn/contract'
import type { FastifyRequest } from 'fastify'
import { fieldLimits, parseJson } from '../lib/json/parse.ts'
import { filesOf, readAnyForm, textsOf } from './upload-form.ts'

/** A file of a form, or a named text. */
export interface FormContent {
  filename: string
  bytes: Uint8Array<ArrayBuffer>
  isText: boolean
  /** The content was cut at the size limit. */
  isTooLarge: boolean
}

function refuse(message: string): never {
  throw new CairnError('invalid_request', message)
}

/** Reads either one file or one named text. */
export async function readContent(
  request: FastifyRequest,
  maxFileBytes: number,
): Promise<{ content: FormContent; scopeValues: string | undefined }> {
  const names = ['file', 'text_content', 'content_name', 'scope_values'] as const
  // A text field may be as large as a file.
  const parts = await readAnyForm(request, { fileBytes: maxFileBytes, fieldBytes: maxFileBytes }, names)
  const [file, ...others] = filesOf(parts, 'file')
  if (others.length > 0) refuse('file must be given once')
  const { text_content: text, content_name: name, scope_values } = textsOf(parts, names.slice(1))
  if (file && text !== undefined) refuse('file and text_content exclude each other; give one of them')
  if (file) {
    const { truncated: isTooLarge, ...given } = file
    return { content: { ...given, isText: false, isTooLarge }, scopeValues: scope_values }
  }
  if (text === undefined) return refuse('file is required, as a part with a file name, or text_content')
  if (!name?.trim()) return refuse('content_name is required with text_content')
  return { content: textContent(text, name, maxFileBytes), scopeValues: scope_values }
}

/** Reads several files, or several named texts. */
export async function readContents(
  request: FastifyRequest,
  maxFileBytes: number,
): Promise<{ contents: FormContent[]; scopeValues: string | undefined }> {
  const names = ['files', 'text_contents', 'content_names', 'scope_values'] as const
  const fieldBytes = limits.bulkBytes
  // Accepting one extra file reveals that there are too many.
  const most = { files: limits.bulkFiles + smallFields, formBytes: limits.bulkBytes }
  const sizes = { fileBytes: maxFileBytes, fieldBytes, largeField: 'text_contents', ...most }
  const parts = await readAnyForm(request, sizes, names)
  const files = filesOf(parts, 'files')
  const { text_contents, content_names, scope_values: scopeValues } = textsOf(parts, names.slice(1))
  if (files.length > 0 && text_contents !== undefined) {
    refuse('files and text_contents exclude each other; give one of them')
  }
  if (files.length > 0) {
    const contents = files.map(({ truncated, ...file }) => ({
      ...file,
      isText: false,
      isTooLarge: truncated,
    }))
    return { contents, scopeValues }
  }
  if (text_contents === undefined) return refuse('files is required, or text_contents with content_names')
  const texts = await stringList(text_contents, 'text_contents')
  const titles = await stringList(
    content_names ?? refuse('content_names is required with text_contents'),
    'content_names',
  )
  if (texts.length === 0) refuse('text_contents must name at least one text')
  if (titles.length !== texts.length) refuse('content_names must have a name for each of text_contents')
  if (titles.some((title) => title.trim() === '')) refuse('content_names must not have an empty name')
  const contents = texts.map((text, index) => textContent(text, titles[index] ?? '', maxFileBytes))
  return { contents, scopeValues }
}

/** Fields that may arrive as file parts, plus one file too many. */
const smallFields = 4

function textContent(text: string, filename: string, maxBytes: number): FormContent {
  // A separate copy, because a worker takes ownership of the memory.
  const bytes = new Uint8Array(Buffer.from(text.toWellFormed()))
  return { filename, bytes, isText: true, isTooLarge: bytes.length > maxBytes }
}

async function stringList(text: string, field: string): Promise<string[]> {
  let list: unknown
  try {
    list = await parseJson(Buffer.from(text), fieldLimits)
  } catch {
    refuse(`${field} must be a JSON array`)
  }
  if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list
  return refuse(`${field} must be a JSON array of texts`)
}
