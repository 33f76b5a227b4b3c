/** A node with its label: its place in pixels from the centre at zoom 1, and the pixels that it needs at both sides. */
export interface Extent {
  x: number
  left: number
  right: number
}

const margin = 12
const most = 3

/**
 * The zoom and the shift at which all nodes with their labels are inside a width in pixels. Labels keep their size when the
 * graph is zoomed out. `shift` is the distance that the content moves to the right, in pixels.
 */
export function fitInto(extents: readonly Extent[], width: number): { ratio: number; shift: number } {
  const room = width - 2 * margin
  for (let ratio = 1; ; ratio *= 1.04) {
    const left = Math.min(...extents.map((one) => one.x / ratio - one.left))
    const right = Math.max(...extents.map((one) => one.x / ratio + one.right))
    if (extents.length === 0) return { ratio, shift: 0 }
    if (right - left <= room || ratio > most) {
      const isInside = left >= -width / 2 + margin && right <= width / 2 - margin
      return { ratio, shift: isInside ? 0 : -(left + right) / 2 }
    }
  }
}
