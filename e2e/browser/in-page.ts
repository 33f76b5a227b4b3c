import type { Locator } from 'playwright-core'

/** What an expression about `element` is in the page; a text, since the types of a page are none of these tests'. */
export function valueOn(locator: Locator, expression: string): Promise<unknown> {
  return locator.evaluate(new Function('element', `return ${expression}`) as (element: unknown) => unknown)
}

export function colourOf(locator: Locator): Promise<unknown> {
  return valueOn(locator, 'getComputedStyle(element).color')
}
