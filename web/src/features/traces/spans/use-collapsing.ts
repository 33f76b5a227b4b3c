import { type KeyboardEvent, useMemo, useState } from 'react'
import { type SpanNode, type SpanTree, visibleNodes } from './tree.ts'

const nothing: ReadonlySet<number> = new Set()

/**
 * The collapsed spans, and the keys of the tree. Up and down (also k and j) move; right expands or enters, left collapses or
 * leaves. Home and End go to the ends, `*` expands everything.
 */
export function useCollapsing(
  tree: SpanTree,
  /** The spans that a search leaves; undefined without a search. */
  kept: ReadonlySet<number> | undefined,
  selected: number | undefined,
  onSelect: (at: number) => void,
) {
  const [folded, setCollapsed] = useState<ReadonlySet<number>>(new Set())
  const collapsed = kept ? nothing : folded
  const visible = useMemo(
    () => (kept ? tree.nodes.filter(({ at }) => kept.has(at)) : visibleNodes(tree, collapsed)),
    [tree, kept, collapsed],
  )
  const index = useMemo(() => visible.findIndex(({ at }) => at === selected), [visible, selected])
  const toggle = (node: SpanNode) => {
    const next = new Set(collapsed)
    if (!next.delete(node.at)) next.add(node.at)
    setCollapsed(next)
    // If the selected span is hidden, its collapsed ancestor becomes selected.
    for (let up = visible[index]?.parent; up; up = up.parent) {
      if (up === node && next.has(node.at)) onSelect(node.at)
    }
  }
  const collapseAll = () => {
    setCollapsed(new Set(tree.nodes.filter(({ children }) => children.length > 0).map(({ at }) => at)))
    if (selected !== undefined) onSelect(rootOf(tree.nodes.find(({ at }) => at === selected))?.at ?? 0)
  }
  const expandAll = () => setCollapsed(new Set())

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    const node = visible[index]
    const goTo = (target: SpanNode | undefined) => target && onSelect(target.at)
    const isOpen = node && node.children.length > 0 && !collapsed.has(node.at)
    const isClosed = node && collapsed.has(node.at)
    const acts: Record<string, () => void> = {
      ArrowDown: () => goTo(visible[index + 1]),
      ArrowUp: () => goTo(visible[index - 1] ?? visible[0]),
      ArrowRight: () => (isClosed ? toggle(node) : goTo(node?.children[0])),
      ArrowLeft: () => (isOpen ? toggle(node) : goTo(node?.parent)),
      Home: () => goTo(visible[0]),
      End: () => goTo(visible.at(-1)),
      '*': expandAll,
    }
    const act = acts[{ j: 'ArrowDown', k: 'ArrowUp' }[event.key] ?? event.key]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  return { visible, index, collapsed, toggle, collapseAll, expandAll, onKeyDown }
}

export type Collapsing = ReturnType<typeof useCollapsing>

function rootOf(node: SpanNode | undefined): SpanNode | undefined {
  let root = node
  while (root?.parent) root = root.parent
  return root
}
