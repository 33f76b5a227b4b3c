/**
 * The series colour of a name, 1 to 8, the same on every screen. It comes from the upper bits of an FNV-1a hash, since
 * the lower bits are equal for gpt-4o and gpt-4o-mini.
 */
export function seriesOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  return (hash >>> 29) + 1
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
