import type { Circle, Cluster } from './layout.ts'
import type { LayoutRequest } from './layout.worker.ts'
import { confidenceOf, type Item, type Model } from './model.ts'

interface Point {
  x: number
  y: number
}
export type Positions = ReadonlyMap<string, Point>

/** Positions by chat, kept while the page is open, so that filters and edits move no node. */
const kept = new Map<string, Map<string, Point>>()

/** Positions of all nodes of a chat; new documents are placed around the existing ones. */
export async function placesOf(chatId: string, model: Model, signal: AbortSignal): Promise<Positions> {
  const places = kept.get(chatId) ?? new Map<string, Point>()
  const documents = Map.groupBy(model.items, ({ fileId }) => fileId)
  const fresh = [...documents.values()].filter(([document]) => document && !places.has(document.id))
  if (fresh.length > 0) {
    const known = [...documents.values()].filter(([document]) => document && places.has(document.id))
    const taken = known.map((items) => circleOf(items, places))
    const found = await inWorker({ clusters: fresh.map((items) => clusterOf(items, model)), taken }, signal)
    fresh.flat().forEach(({ id }, at) => {
      places.set(id, { x: found[2 * at] ?? 0, y: found[2 * at + 1] ?? 0 })
    })
  }
  for (const item of model.items) if (!places.has(item.id)) places.set(item.id, beside(item, places))
  kept.set(chatId, places)
  return new Map(places)
}

/** The position of a new chunk in a document that already has one. */
function beside({ fileId, order }: Item, places: Positions): Point {
  const hub = places.get(fileId) ?? { x: 0, y: 0 }
  return { x: hub.x + 12 * Math.cos(order), y: hub.y + 12 * Math.sin(order) }
}

function circleOf(items: readonly Item[], places: Positions): Circle {
  const [hub = { x: 0, y: 0 }, ...rest] = items.flatMap(({ id }) => places.get(id) ?? [])
  const reach = rest.reduce((most, { x, y }) => Math.max(most, Math.hypot(x - hub.x, y - hub.y)), 0)
  return { ...hub, r: reach + 10 }
}

function clusterOf(items: readonly Item[], { ofNode }: Model): Cluster {
  const numbers = new Map(items.map(({ id }, number) => [id, number]))
  const links = items.flatMap(({ id }, number) =>
    (ofNode.get(id) ?? []).flatMap((one) => {
      const target = one.source === id ? numbers.get(one.target) : undefined
      return target === undefined || target === number ? [] : [number, target, weightOf(one)]
    }),
  )
  return { chunks: items.length - 1, links }
}

function weightOf(relationship: Model['relationships'][number]): number {
  if (relationship.type === 'HAS_CHUNK') return 0.2
  return relationship.type === 'NEXT' ? 1 : 2 * confidenceOf(relationship)
}

function inWorker(request: LayoutRequest, signal: AbortSignal): Promise<Float32Array> {
  const worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' })
  const answer = new Promise<Float32Array>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Float32Array>) => resolve(data)
    worker.onerror = () => reject(new Error('The graph could not be laid out.'))
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  worker.postMessage(request)
  return answer.finally(() => worker.terminate())
}
