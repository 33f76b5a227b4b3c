/**
 * The same name has the same colour everywhere: one of eight, by the upper bits of a hash of the name (FNV-1a, whose
 * lower bits are the same for gpt-4o and gpt-4o-mini).
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

/** What a colour of the theme is at this moment, for canvas and WebGL: a CSS variable, or an expression of them. */
export function resolveColour(colour: string): string {
  const probe = document.createElement('span')
  probe.style.color = colour.startsWith('--') ? `var(${colour})` : colour
  document.body.append(probe)
  const resolved = getComputedStyle(probe).color
  probe.remove()
  return resolved
}
