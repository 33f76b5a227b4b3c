import { boundedFetch } from '../adapters/bounded-fetch.ts'
import { ModelError } from '../model-error.ts'
import { type ProviderAccess, versioned } from '../provider.ts'
import { withRetries } from '../retry.ts'
import type { RerankModel } from './rerank-model.ts'
import { type RerankVendor, readRanking, readUsage, wires } from './wire.ts'

export interface ProviderRerankerOptions extends ProviderAccess {
  /** `vendor/model`. */
  name: string
  quietMs: number
}

/** A response with an error status, in the form that `toModelError` reads. */
class RefusedRequest extends Error {
  readonly statusCode: number
  readonly responseHeaders: Record<string, string>
  readonly responseBody: string

  constructor({ status, headers }: Response, body: string) {
    super('the request was refused')
    this.statusCode = status
    this.responseHeaders = Object.fromEntries(headers)
    this.responseBody = body
  }
}

/** A model of a server with the usual `/rerank` endpoint. */
export function createProviderReranker(options: ProviderRerankerOptions): RerankModel {
  const { name, apiKey, quietMs } = options
  const [vendor, id] = [name.slice(0, name.indexOf('/')), name.slice(name.indexOf('/') + 1)]
  const wire = wires[vendor as RerankVendor]
  const baseUrl = options.baseUrl ?? wire?.baseUrl
  if (!wire || baseUrl === undefined) throw new Error(`${name} is no rerank model, or has no base URL`)
  const url = `${versioned(baseUrl, wire.version).replace(/\/+$/, '')}/rerank`
  const headers = {
    'content-type': 'application/json',
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  }

  async function call(query: string, passages: readonly string[], signal: AbortSignal): Promise<unknown> {
    const fields = {
      ...(!wire.isOneModel && { model: id }),
      query,
      [wire.passages]: passages,
      ...wire.options,
    }
    const request = { method: 'POST', headers, body: JSON.stringify(fields), signal }
    const response = await boundedFetch(url, request).catch((cause) => {
      throw signal.aborted ? cause : new ModelError(name, 'unreachable')
    })
    const text = await response.text()
    if (!response.ok) throw new RefusedRequest(response, text)
    try {
      return JSON.parse(text)
    } catch {
      throw new ModelError(name, 'garbled')
    }
  }

  return {
    name,
    isLocal: false,
    async rerank(query, passages, signal) {
      const body = await withRetries({ model: name, quietMs, signal }, async (watch) => {
        const body = await call(query, passages, watch.signal)
        watch.end()
        return body
      })
      const ranked = readRanking(body, wire, passages.length)
      if (!ranked) throw new ModelError(name, 'broken', { detail: 'the ranking is not valid' })
      const { tokens, searchUnits } = readUsage(body)
      const usage =
        tokens === undefined
          ? undefined
          : { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens }
      return { ranked, usage, ...(searchUnits !== undefined && { searchUnits }) }
    },
  }
}
