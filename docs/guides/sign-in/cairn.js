import { createUserClient } from '@cairn/sdk'

/**
 * @import { OwnCitation, StoredFile as File, UserQuestion } from '@cairn/sdk'
 * @typedef {File} StoredFile
 * @typedef {OwnCitation} Citation
 * @typedef {UserQuestion['messages'][number]} Message
 * @typedef {ReturnType<typeof createCairn>} Cairn
 */

/**
 * The calls of one user. The token is sent to Cairn in a header of each call, and nowhere else.
 *
 * @param {{ url: string, appId: string, idToken: string, signal: AbortSignal }} options The signal ends all calls.
 */
export function createCairn({ url, appId, idToken, signal }) {
  return createUserClient({
    baseUrl: url,
    appId,
    idToken,
    // The user sees other failures at once, and can try again.
    retry: { onlyBusy: true },
    // An upload over a slow connection takes as long as it needs.
    timeoutSeconds: 0,
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        signal: AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]),
      }).catch((error) => {
        throw error instanceof TypeError ? new Error(`${url} could not be reached.`) : error
      }),
  })
}
