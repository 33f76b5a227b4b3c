import { createClient } from '@cairn/sdk'

/** The server that this page came from. */
export const serverAddress = window.location.origin

/** Every call of the dashboard goes through here; the browser's cookie is the credential. */
export const client = createClient({ baseUrl: serverAddress, session: true })
