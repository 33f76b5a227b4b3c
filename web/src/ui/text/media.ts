/** An image or a sound that a browser shows without running anything. */
export interface Media {
  kind: 'image' | 'audio'
  src: string
  /** Whether it is on another server, and is loaded on a click only. */
  isRemote: boolean
}

/** SVG and HTML can contain scripts, so they are never shown. */
const safeTypes = /^(image)\/(?:png|jpe?g|gif|webp|avif)$|^(audio)\/(?:(?:x-|vnd\.)?wave?|mpeg|mp3|ogg|mp4)$/i
const dataUrl = /^data:([a-z]+\/[\w.+-]+)(?:;[\w.+-]+=[\w.+"-]*)*;base64,/i

function kindOf(type: string): Media['kind'] | undefined {
  const [, image, audio] = safeTypes.exec(type) ?? []
  return image ? 'image' : audio ? 'audio' : undefined
}

/** An image or sound by its address; undefined for all other addresses. `kind` is the declared kind of a remote one. */
export function mediaAt(url: string, kind: Media['kind'] = 'image'): Media | undefined {
  if (/^data:/i.test(url)) {
    const known = kindOf(dataUrl.exec(url.slice(0, 200))?.[1] ?? '')
    return known && { kind: known, src: url, isRemote: false }
  }
  const remote = URL.parse(url)
  if (remote?.protocol !== 'https:' && remote?.protocol !== 'http:') return undefined
  return { kind, src: remote.href, isRemote: true }
}

/** An image or sound of base64 data, or of an address in its place. */
export function mediaOf(type: string, data: string): Media | undefined {
  if (/^(?:data|https?):/i.test(data.slice(0, 8))) {
    return mediaAt(data, type.startsWith('audio/') ? 'audio' : 'image')
  }
  const kind = kindOf(type)
  return kind && { kind, src: `data:${type};base64,${data}`, isRemote: false }
}
