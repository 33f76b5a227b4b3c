import type { ReadColour } from './palette.ts'

interface Drawn {
  x: number
  y: number
  size: number
  label: string | null
}
interface Lettering {
  labelSize: number
  labelFont: string
}

/** Draws the label of a node, outlined in the background colour so that it is legible over edges. */
export function labelDrawing(
  context: CanvasRenderingContext2D,
  { x, y, size, label }: Drawn,
  { labelSize, labelFont }: Lettering,
  colour: ReadColour,
): void {
  if (!label) return
  context.font = `${labelSize}px ${labelFont}`
  context.lineWidth = 3
  context.lineJoin = 'round'
  context.strokeStyle = colour('--background')
  context.fillStyle = colour('--fg')
  const [left, line] = [x + size + 4, y + labelSize / 3]
  context.strokeText(label, left, line)
  context.fillText(label, left, line)
}

/** Draws a circle and a boxed label for the hovered or selected node. */
export function hoverDrawing(
  context: CanvasRenderingContext2D,
  node: Drawn,
  { labelSize, labelFont }: Lettering,
  colour: ReadColour,
): void {
  const { x, y, size, label } = node
  context.font = `${labelSize}px ${labelFont}`
  if (label) {
    const width = context.measureText(label).width + 12
    context.fillStyle = colour('--raised')
    context.strokeStyle = colour('--line-strong')
    context.lineWidth = 1
    context.beginPath()
    context.roundRect(x + size + 4, y - labelSize / 2 - 5, width, labelSize + 10, 4)
    context.fill()
    context.stroke()
    context.fillStyle = colour('--fg')
    context.fillText(label, x + size + 10, y + labelSize / 3)
  }
  context.lineWidth = 2
  context.strokeStyle = colour('--accent')
  context.beginPath()
  context.arc(x, y, size + 3, 0, 2 * Math.PI)
  context.stroke()
}
