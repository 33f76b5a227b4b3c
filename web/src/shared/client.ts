import { createClient } from '@cairn/sdk'

/** The address of the server that this page was loaded from. */
export const serverAddress = window.location.origin

/** The client for every call of the dashboard; the session cookie is its credential. */
export const client = createClient({ baseUrl: serverAddress, session: true, retry: { onlyBusy: true } })
