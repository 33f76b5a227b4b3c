import type { Locator, Page } from 'playwright-core'

/** Evaluates an expression about `element` in the page. It is a text, because these tests do not include DOM types. */
export function valueOn(locator: Locator, expression: string): Promise<unknown> {
  return locator.evaluate(new Function('element', `return ${expression}`) as (element: unknown) => unknown)
}

export function colourOf(locator: Locator): Promise<unknown> {
  return valueOn(locator, 'getComputedStyle(element).color')
}

/** Red, green and blue of its colour, 0 to 255, for any notation of the style sheet. */
export async function rgbOf(locator: Locator): Promise<[red: number, green: number, blue: number]> {
  const drawn = `(() => {
    const canvas = document.createElement('canvas').getContext('2d')
    canvas.fillStyle = getComputedStyle(element).color
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
  })()`
  return (await valueOn(locator, drawn)) as [number, number, number]
}

/** Waits until the page has drawn `count` frames. */
export async function drawFrames(page: Page, count: number): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    let left = ${count}
    const next = () => (left-- > 0 ? requestAnimationFrame(next) : resolve())
    next()
  })`)
}
