import { useQueries, useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { Skeleton, SkeletonBlock } from '../../ui/states/skeleton.tsx'
import { ChunkBlock } from './chunk-block.tsx'
import { chunkPage, chunkPlaceQuery, chunksQuery } from './queries.ts'

const usualHeight = 180

/** `12-80` as a range of characters; undefined for anything else. */
function rangeOf(at: string | undefined): [start: number, end: number] | undefined {
  const [, start, end] = /^(\d{1,7})-(\d{1,7})$/.exec(at ?? '') ?? []
  return start && end ? [Number(start), Number(end)] : undefined
}

/** The chunks of a document in order. Only visible chunks are loaded and rendered. */
export function DocumentView({
  chatId,
  fileId,
  chunkId,
  at,
}: {
  chatId: string
  fileId: string
  chunkId: string | undefined
  at: string | undefined
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const first = useQuery(chunksQuery(chatId, fileId, 0))
  const place = useQuery({
    ...chunkPlaceQuery(chatId, fileId, chunkId ?? ''),
    enabled: chunkId !== undefined,
  })
  const virtual = useVirtualizer({
    count: first.data?.chunk_count ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualHeight,
    overscan: 4,
  })
  const items = virtual.getVirtualItems()
  const pages = [...new Set(items.map(({ index }) => Math.floor(index / chunkPage)))]
  const read = useQueries({ queries: pages.map((page) => chunksQuery(chatId, fileId, page)) })
  const chunks = new Map(read.flatMap(({ data }) => data?.chunks ?? []).map((chunk) => [chunk.order, chunk]))
  const lit = place.data
  const isThere = lit !== undefined && first.data !== undefined
  useEffect(() => {
    if (isThere) virtual.scrollToIndex(lit, { align: 'center' })
  }, [isThere, lit, virtual])

  const error = first.error ?? read.find((query) => query.error)?.error
  if (error) {
    return (
      <div className="p-4">
        <ErrorNotice error={error} title="The document could not be loaded" retry={first.refetch} />
      </div>
    )
  }
  if (!first.data) return <ChunkSkeletons />
  return (
    <>
      {place.error && (
        <div className="p-4">
          <ErrorNotice error={place.error} title="The passage no longer exists" />
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it too */}
      <div ref={scroller} tabIndex={0} className="min-h-0 flex-1 overflow-auto" data-document>
        <ol className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => (
            <li
              key={index}
              ref={virtual.measureElement}
              data-index={index}
              className="absolute inset-x-0"
              style={{ top: start }}
            >
              <ChunkBlock
                chatId={chatId}
                filename={first.data.filename}
                chunk={chunks.get(index)}
                isLit={index === lit}
                isDimmed={lit !== undefined && index !== lit}
                range={index === lit ? rangeOf(at) : undefined}
              />
            </li>
          ))}
        </ol>
      </div>
    </>
  )
}

function ChunkSkeletons() {
  return (
    <SkeletonBlock name="the document" className="flex flex-col gap-6 p-4">
      {[0, 1, 2].map((block) => (
        <div key={block} className="flex flex-col gap-2">
          <Skeleton className="h-3 w-40" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-2/3" />
        </div>
      ))}
    </SkeletonBlock>
  )
}
