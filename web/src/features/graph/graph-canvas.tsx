import { Maximize, Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { useThemeColours } from '../../ui/theme-colours.ts'
import { GraphView, type ViewHandlers } from './graph-view.ts'
import type { Filter, Lit, Model } from './model.ts'
import { usePlaces } from './use-places.ts'

export interface GraphCanvasProps {
  chatId: string
  model: Model
  shown: ReadonlySet<string>
  filter: Filter
  lit: Lit | undefined
  selected: string | undefined
  /** The panel covers the right part of the graph. */
  covered: boolean
  /** Documents that wait for their relationships. */
  relating: number
  handlers: ViewHandlers
  onMore: (() => void) | undefined
}

const panelWidth = 400

/** The drawn graph. The list shows the same content as text. */
export default function GraphCanvas(props: GraphCanvasProps) {
  const { model, shown, relating, onMore } = props
  const { host, view, state, error } = useGraphView(props)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || !view.current || !keys[event.key]) return
    keys[event.key]?.(view.current)
    event.preventDefault()
  }
  return (
    <div className="relative min-w-0 flex-1 overflow-hidden">
      <div
        ref={host}
        role="application"
        aria-label={`Graph of ${plural(shown.size, 'node')}. Arrow keys move, plus and minus zoom, 0 shows all. The list has the same content in words.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move and zoom the graph
        tabIndex={0}
        data-state={state}
        className="absolute inset-0 -outline-offset-2"
        onKeyDown={onKeyDown}
      />
      {error !== undefined && (
        <div className="absolute inset-x-4 top-4">
          <ErrorNotice error={error} title="The graph cannot be drawn">
            <p>The list shows the same documents, chunks and relationships.</p>
          </ErrorNotice>
        </div>
      )}
      {state === 'placing' && error === undefined && (
        <p role="status" className="absolute inset-0 m-auto h-5 w-fit text-fg-2">
          Laying out {plural(shown.size, 'node')}…
        </p>
      )}
      <div className="pointer-events-none absolute bottom-3 left-3 flex flex-col items-start gap-2 text-sm text-fg-2">
        {relating > 0 && (
          <p role="status" className="rounded-sm border bg-background px-2">
            Relating the chunks of {plural(relating, 'document')}…
          </p>
        )}
        <p className="flex items-center gap-2 rounded-sm bg-background px-1">
          {onMore
            ? `${formatCount(shown.size)} of ${plural(model.items.length, 'node')}`
            : `${plural(model.items.length, 'node')}, ${plural(model.relationships.length, 'relationship')}`}
          {onMore && (
            <Button className="pointer-events-auto" onClick={onMore}>
              Show more
            </Button>
          )}
        </p>
      </div>
      <div
        className={`absolute bottom-3 flex flex-col gap-1 ${props.covered ? 'right-3 lg:right-[412px]' : 'right-3'}`}
      >
        <IconButton variant="default" label="Zoom in" onClick={() => view.current?.zoom(1.6)}>
          <Plus size={14} />
        </IconButton>
        <IconButton variant="default" label="Zoom out" onClick={() => view.current?.zoom(1 / 1.6)}>
          <Minus size={14} />
        </IconButton>
        <IconButton variant="default" label="Show all" onClick={() => view.current?.fit()}>
          <Maximize size={14} />
        </IconButton>
      </div>
    </div>
  )
}

const keys: Record<string, (view: GraphView) => void> = {
  ArrowLeft: (view) => view.pan(-0.15, 0),
  ArrowRight: (view) => view.pan(0.15, 0),
  ArrowUp: (view) => view.pan(0, -0.15),
  ArrowDown: (view) => view.pan(0, 0.15),
  '+': (view) => view.zoom(1.6),
  '=': (view) => view.zoom(1.6),
  '-': (view) => view.zoom(1 / 1.6),
  '0': (view) => view.fit(),
}

/** Keeps the WebGL view in step with the React state. */
function useGraphView({ chatId, model, shown, filter, lit, selected, covered, handlers }: GraphCanvasProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<GraphView>(null)
  // A node that was clicked in the graph is already in view.
  const clicked = useRef<string>(undefined)
  const [failure, setFailure] = useState<unknown>()
  const colour = useThemeColours()
  const { places, error } = usePlaces(chatId, model)
  const onNode = useEffectEvent((id: string) => {
    clicked.current = id
    handlers.onNode(id)
  })
  const onRelationship = useEffectEvent((id: string) => {
    clicked.current = id
    handlers.onRelationship(id)
  })
  const onNothing = useEffectEvent(() => handlers.onNothing())
  const make = useEffectEvent((container: HTMLElement) => {
    const display = { filter, lit, selected, colour }
    view.current = new GraphView(container, display, { onNode, onRelationship, onNothing })
  })
  const fly = useEffectEvent(() => {
    if (selected === undefined || selected === clicked.current) return
    clicked.current = undefined
    const relationship = model.byId.has(selected)
      ? undefined
      : model.relationships.find(({ id }) => id === selected)
    view.current?.flyTo(relationship ? [relationship.source, relationship.target] : [selected])
  })

  useEffect(() => {
    const container = host.current
    if (!container) return
    try {
      make(container)
    } catch {
      setFailure(new Error('This browser offers no WebGL.'))
      return
    }
    const observer = new ResizeObserver(() => view.current?.resize())
    observer.observe(container)
    return () => {
      observer.disconnect()
      view.current?.kill()
      view.current = null
    }
  }, [])
  useEffect(() => view.current?.setCovered(covered && innerWidth >= 1024 ? panelWidth : 0), [covered])
  useEffect(() => {
    if (places) view.current?.setContent(model, shown, places)
  }, [model, shown, places])
  useEffect(
    () => view.current?.setDisplay({ filter, lit, selected, colour }),
    [filter, lit, selected, colour],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view moves when the selection changes or the layout first arrives
  useEffect(() => fly(), [selected, places !== undefined])
  const state = failure !== undefined ? 'failed' : places ? 'drawn' : 'placing'
  return { host, view, state, error: failure ?? error }
}
