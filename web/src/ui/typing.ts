/** Whether keys go into a text field. */
export function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null
  return element?.isContentEditable === true || /^(INPUT|TEXTAREA|SELECT)$/.test(element?.tagName ?? '')
}
