import { createClient } from '@cairn/sdk'

/** The server that this page came from. */
export const serverAddress = window.location.origin

export const client = createClient({ baseUrl: serverAddress })
