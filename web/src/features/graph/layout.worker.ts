import { type Circle, type Cluster, layOut } from './layout.ts'

export interface LayoutRequest {
  clusters: readonly Cluster[]
  taken: readonly Circle[]
}

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => {
  const places = layOut(data.clusters, data.taken)
  self.postMessage(places, { transfer: [places.buffer] })
}
