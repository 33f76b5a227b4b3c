/**
 * The series colour of a name, 1 to 8, the same on every screen. The bits of an FNV-1a hash are mixed at the end, because
 * otherwise names that differ only in their last character (user-1, user-2) have the same upper bits.
 */
export function seriesOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash >>> 22) & 7) + 1
}

/** A colour for CSS. */
export function colourOf(name: string): string {
  return `var(--series-${seriesOf(name)})`
}

/** The current value of a CSS variable or colour expression, for canvas and WebGL. */
export function resolveColour(colour: string): string {
  const probe = document.createElement('span')
  probe.style.color = colour.startsWith('--') ? `var(${colour})` : colour
  document.body.append(probe)
  const resolved = getComputedStyle(probe).color
  probe.remove()
  return resolved
}
