import { createSharedState } from './shared-state.ts'

/** Whether the server does not respond at all. One banner says so, instead of every part of a screen. */
export const connection = createSharedState({ isLost: false })

/** `fetch` throws a TypeError if there is no response. */
export function isNoResponse(error: unknown): boolean {
  return error instanceof TypeError
}
