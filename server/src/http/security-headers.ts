import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet, { type HelmetOptions } from 'helmet'
import type { App } from './fastify.ts'

/** The server speaks http, maybe behind a proxy that speaks https: it must not promise https for itself. */
const options: HelmetOptions = {
  contentSecurityPolicy: {
    directives: {
      fontSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      upgradeInsecureRequests: null,
    },
  },
  strictTransportSecurity: false,
  // Both mean something over https only, and are noise in a browser's console without it.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
}

/** The headers that helmet sets; they depend on its options alone. */
function headersOf(settings: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {}
  const recorder = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value
    },
    removeHeader: () => {},
  }
  helmet(settings)({} as IncomingMessage, recorder as unknown as ServerResponse, () => {})
  return headers
}

/** Helmet's headers, worked out once: doing so for each request took a third of its time. */
export function registerSecurityHeaders(app: App): void {
  const headers = headersOf(options)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
}
