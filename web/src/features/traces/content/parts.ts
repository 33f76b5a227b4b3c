import { isObject, type JsonObject, textOf } from '@cairn/contract/conversations'
import { type Media, mediaAt, mediaOf } from '../../../ui/text/media.ts'

/** A part of a message, as it is shown. */
export type ChatPart =
  | { kind: 'text' | 'reasoning'; text: string }
  | { kind: 'media'; media: Media }
  | { kind: 'other'; value: unknown }

/** The parts of a message's content in the format of any API. Parts of an unknown form are shown as JSON. */
export function partsOf(content: unknown): ChatPart[] {
  if (content === null || content === undefined || content === '') return []
  if (!Array.isArray(content)) return [partOf(content)]
  return content.map(partOf)
}

function partOf(part: unknown): ChatPart {
  if (typeof part === 'string') return { kind: 'text', text: part }
  if (!isObject(part)) return { kind: 'other', value: part }
  const thought = thoughtIn(part)
  if (thought !== undefined) return { kind: 'reasoning', text: thought }
  const media = mediaIn(part)
  if (media) return { kind: 'media', media }
  const text = textIn(part)
  return text === undefined ? { kind: 'other', value: part } : { kind: 'text', text }
}

function textIn({ type, text, content, refusal, value }: JsonObject): string | undefined {
  if (typeof text === 'string') return text
  if (type === 'refusal') return textOf(refusal)
  return type === undefined || type === 'text' ? (textOf(content) ?? textOf(value)) : undefined
}

function thoughtIn({ type, thinking, content, text, reasoning, thought }: JsonObject): string | undefined {
  if (thought === true) return textOf(text)
  if (type !== 'reasoning' && type !== 'thinking') return undefined
  return [thinking, content, text, reasoning].map(textOf).find((one) => one !== undefined)
}

/** An image or sound in the forms of OpenAI, Anthropic, Gemini, OpenTelemetry, LangChain and the AI SDK. */
function mediaIn(part: JsonObject): Media | undefined {
  const {
    type,
    image_url: image,
    input_audio: audio,
    source,
    inlineData,
    inline_data,
    fileData,
    file_data,
  } = part
  const address = isObject(image) ? image.url : image
  if (typeof address === 'string') return mediaAt(address)
  if (isObject(audio)) return base64(`audio/${textOf(audio.format) ?? 'wav'}`, audio.data)
  for (const one of [source, inlineData, inline_data, fileData, file_data]) {
    if (isObject(one)) return declaredMedia({ ...one, type })
  }
  return declaredMedia(part)
}

function declaredMedia(part: JsonObject): Media | undefined {
  const declared = ['media_type', 'mediaType', 'mime_type', 'mimeType', 'contentType']
  const kind = textOf(part.modality) ?? part.type
  const mediaType = declared.map((name) => textOf(part[name])).find((name) => name !== undefined)
  const assumed = mediaType ?? (kind === 'image' ? 'image/png' : kind === 'audio' ? 'audio/wav' : undefined)
  if (assumed === undefined) return undefined
  const names = ['data', 'base64', 'content', 'url', 'uri', 'fileUri', 'file_uri', 'image', 'audio']
  const data = names.map((name) => textOf(part[name])).find((one) => one !== undefined)
  return base64(assumed, data)
}

function base64(type: string, data: unknown): Media | undefined {
  return typeof data === 'string' ? mediaOf(type, data) : undefined
}
