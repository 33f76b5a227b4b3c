import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Data beside the checkout that is not part of the project: real documents and retrieval sets. */
const folder = fileURLToPath(new URL('../../../shared/data/', import.meta.url))

/** Whether the data exists; otherwise prints which tests are skipped. */
export function hasSharedData(what: string): boolean {
  if (existsSync(folder)) return true
  console.warn(`skipped: ${what} (../shared/data is missing)`)
  return false
}

export function sharedDocument(name: string): string {
  return `${folder}documents/${name}`
}
