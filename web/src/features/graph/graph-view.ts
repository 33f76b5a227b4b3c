import { MultiDirectedGraph } from 'graphology'
import Sigma from 'sigma'
import type { EdgeDisplayData, NodeDisplayData } from 'sigma/types'
import { hoverDrawing, labelDrawing } from './drawing.ts'
import { fitInto } from './fit.ts'
import { confidenceOf, type Filter, type Item, type Lit, labelOf, type Model, passes } from './model.ts'
import { mix, type ReadColour, typeColours } from './palette.ts'
import type { Positions } from './positions.ts'

export interface Display {
  filter: Filter
  /** The highlighted nodes and relationships; undefined if nothing is dimmed. */
  lit: Lit | undefined
  selected: string | undefined
  colour: ReadColour
}

export interface ViewHandlers {
  onNode: (id: string) => void
  onRelationship: (id: string) => void
  onNothing: () => void
}

type Relationship = Model['relationships'][number]
interface NodeData {
  x: number
  y: number
  size: number
  label: string
  item: Item
}
interface EdgeData {
  relationship: Relationship
  size: number
}

const flightMs = 350
const labelSize = 12
/** Zooming in enlarges nodes and edges up to this zoom; beyond it, edges would become bars. */
const largestAt = 0.31

/** The graph in WebGL, drawn by sigma. This class sets its content, colours and camera. */
export class GraphView {
  readonly #graph = new MultiDirectedGraph<NodeData, EdgeData>()
  readonly #sigma: Sigma<NodeData, EdgeData>
  #display: Display
  /** Width in pixels that the panel covers at the right. */
  #covered = 0
  /** The first content has been shown as a whole. */
  #isFitted = false

  constructor(container: HTMLElement, display: Display, handlers: ViewHandlers) {
    this.#display = display
    this.#sigma = new Sigma<NodeData, EdgeData>(this.#graph, container, {
      enableEdgeEvents: true,
      zIndex: true,
      labelFont: getComputedStyle(container).fontFamily,
      labelSize,
      labelDensity: 0.6,
      labelGridCellSize: 120,
      labelRenderedSizeThreshold: 5,
      zoomToSizeRatioFunction: (ratio) => Math.sqrt(Math.max(ratio, largestAt)),
      minCameraRatio: 0.01,
      maxCameraRatio: 4,
      stagePadding: 40,
      minEdgeThickness: 0.8,
      doubleClickZoomingDuration: flightMs,
      defaultDrawNodeLabel: (context, data, settings) =>
        labelDrawing(context, data, settings, this.#display.colour),
      defaultDrawNodeHover: (context, data, settings) =>
        hoverDrawing(context, data, settings, this.#display.colour),
      nodeReducer: (id, data) => this.#nodeDisplay(id, data),
      edgeReducer: (id, data) => this.#edgeDisplay(id, data),
    })
    this.#sigma.on('clickNode', ({ node }) => handlers.onNode(node))
    this.#sigma.on('clickEdge', ({ edge }) => handlers.onRelationship(edge))
    this.#sigma.on('clickStage', () => handlers.onNothing())
    const cursor = (name: string) => () => {
      container.style.cursor = name
    }
    for (const event of ['enterNode', 'enterEdge'] as const) this.#sigma.on(event, cursor('pointer'))
    for (const event of ['leaveNode', 'leaveEdge'] as const) this.#sigma.on(event, cursor(''))
  }

  /** Sets the drawn nodes and all relationships between them. */
  setContent(model: Model, shown: ReadonlySet<string>, positions: Positions): void {
    const graph = this.#graph
    for (const id of graph.nodes()) if (!shown.has(id) || !model.byId.has(id)) graph.dropNode(id)
    for (const id of shown) {
      const item = model.byId.get(id)
      const place = positions.get(id)
      if (!item || !place) continue
      const size = item.kind === 'document' ? 8 : 3
      graph.mergeNode(id, { ...place, size, label: labelOf(item), item })
    }
    const wanted = new Map(model.relationships.map((one) => [one.id, one]))
    for (const id of graph.edges()) if (!wanted.has(id)) graph.dropEdge(id)
    for (const one of model.relationships) this.#putRelationship(one)
    this.#sigma.setCustomBBox(boundsOf(positions))
    if (!this.#isFitted && graph.order > 0) {
      this.#isFitted = true
      this.fit(0)
    }
  }

  #putRelationship(one: Relationship): void {
    const graph = this.#graph
    if (!graph.hasNode(one.source) || !graph.hasNode(one.target)) return
    const data = { relationship: one, size: thicknessOf(one) }
    if (graph.hasEdge(one.id)) graph.replaceEdgeAttributes(one.id, data)
    else graph.addEdgeWithKey(one.id, one.source, one.target, data)
  }

  setDisplay(display: Display): void {
    this.#display = display
    this.#sigma.refresh({ skipIndexation: true, schedule: true })
  }

  setCovered(pixels: number): void {
    this.#covered = pixels
  }

  resize(): void {
    this.#sigma.resize()
    this.#sigma.scheduleRefresh()
  }

  zoom(factor: number): void {
    const camera = this.#sigma.getCamera()
    camera.animate({ ratio: this.#bounded(camera.ratio / factor) }, { duration: 150 })
  }

  /** Moves the camera by shares of the visible area. */
  pan(right: number, down: number): void {
    const camera = this.#sigma.getCamera()
    const { width, height } = this.#sigma.getDimensions()
    const centre = this.#sigma.viewportToFramedGraph({
      x: width * (0.5 + right),
      y: height * (0.5 + down),
    })
    camera.animate(centre, { duration: 120 })
  }

  /** Shows all nodes, with the labels of the documents. */
  fit(duration = flightMs): void {
    // Final positions of changed nodes are known only after a refresh.
    this.#sigma.refresh()
    const whole = { x: 0.5, y: 0.5, ratio: 1, angle: 0 }
    const { width, height } = this.#sigma.getDimensions()
    const context = document.createElement('canvas').getContext('2d')
    if (context) context.font = `${labelSize}px ${this.#sigma.getSetting('labelFont')}`
    const extents = this.#graph.mapNodes((id, { size, label, item }) => {
      const place = this.#sigma.getNodeDisplayData(id)
      const x = place ? this.#sigma.framedGraphToViewport(place, { cameraState: whole }).x : width / 2
      const text = item.kind === 'document' ? (context?.measureText(label).width ?? 0) + 4 : 0
      return { x: x - width / 2, left: size, right: size + text }
    })
    const { ratio, shift } = fitInto(extents, width)
    const cameraState = { ...whole, ratio }
    const { x, y } = this.#sigma.viewportToFramedGraph(
      { x: width / 2 - shift, y: height / 2 },
      { cameraState },
    )
    const camera = this.#sigma.getCamera()
    if (duration === 0) camera.setState({ ...cameraState, x, y })
    else camera.animate({ ...cameraState, x, y }, { duration })
  }

  /** Centres nodes in the area beside the panel, zoomed in until they are legible. */
  flyTo(ids: readonly string[]): void {
    // Final positions of changed nodes are known only after a refresh.
    this.#sigma.refresh()
    const places = ids.flatMap((id) => this.#sigma.getNodeDisplayData(id) ?? [])
    if (places.length === 0) return
    const x = places.reduce((sum, place) => sum + place.x, 0) / places.length
    const y = places.reduce((sum, place) => sum + place.y, 0) / places.length
    const camera = this.#sigma.getCamera()
    const ratio = Math.min(camera.ratio, this.#nearRatio())
    const { width, height } = this.#sigma.getDimensions()
    const cameraState = { ...camera.getState(), x, y, ratio }
    const off = this.#sigma.viewportToFramedGraph(
      { x: width / 2 + this.#covered / 2, y: height / 2 },
      { cameraState },
    )
    camera.animate({ x: off.x, y: off.y, ratio }, { duration: flightMs })
  }

  /** The zoom that shows about forty chunks. */
  #nearRatio(): number {
    const { x, y } = this.#sigma.getBBox()
    const extent = Math.max(x[1] - x[0], y[1] - y[0], 1)
    return this.#bounded(Math.min(1, 240 / extent))
  }

  #bounded(ratio: number): number {
    return Math.min(4, Math.max(0.01, ratio))
  }

  kill(): void {
    this.#sigma.kill()
  }

  #nodeDisplay(id: string, { item, ...data }: NodeData): Partial<NodeDisplayData> {
    const { lit, selected, colour } = this.#display
    const own = colour(item.kind === 'document' ? '--accent' : '--fg-3')
    if (id === selected) return { ...data, color: colour('--fg'), highlighted: true, zIndex: 3 }
    if (!lit) return { ...data, color: own, zIndex: item.kind === 'document' ? 2 : 1 }
    if (lit.nodes.has(id)) return { ...data, color: own, zIndex: 2, forceLabel: lit.nodes.size <= 40 }
    return { ...data, color: mix(own, colour('--background'), 0.2), label: null, zIndex: 0 }
  }

  #edgeDisplay(id: string, { relationship, size }: EdgeData): Partial<EdgeDisplayData> {
    const { filter, lit, selected, colour } = this.#display
    if (!passes(relationship, filter)) return { hidden: true }
    const full = colour(typeColours[relationship.type])
    // Each chunk has one HAS_CHUNK edge; at full strength they would hide the others.
    const own = relationship.type === 'HAS_CHUNK' && !lit ? mix(full, colour('--background'), 0.4) : full
    if (id === selected) return { color: own, size: size + 3, zIndex: 3 }
    if (!lit) return { color: own, size, zIndex: 1 }
    if (lit.relationships.has(id)) return { color: own, size: size + 1, zIndex: 2 }
    return { color: mix(own, colour('--background'), 0.15), size, zIndex: 0 }
  }
}

function thicknessOf(relationship: Relationship): number {
  if (relationship.type === 'HAS_CHUNK') return 1
  return relationship.type === 'NEXT' ? 1.2 : 1 + 2 * confidenceOf(relationship)
}

function boundsOf(positions: Positions): { x: [number, number]; y: [number, number] } {
  const x: [number, number] = [-60, 60]
  const y: [number, number] = [-60, 60]
  for (const place of positions.values()) {
    x[0] = Math.min(x[0], place.x)
    x[1] = Math.max(x[1], place.x)
    y[0] = Math.min(y[0], place.y)
    y[1] = Math.max(y[1], place.y)
  }
  return { x, y }
}
