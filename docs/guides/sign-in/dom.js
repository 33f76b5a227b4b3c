/**
 * The element of this page with this id.
 *
 * @template {HTMLElement} E
 * @param {string} id
 * @param {new () => E} type
 * @returns {E}
 */
export function byId(id, type) {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`no ${type.name} has the id ${id}`)
  return found
}

/**
 * A new element. Its content is always set as text, never as HTML, because files and answers are untrusted.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Partial<HTMLElementTagNameMap[T]>} properties
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}
