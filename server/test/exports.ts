import { readFileSync } from 'node:fs'
import type { CreateTrace } from '@cairn/contract'
import { exportTarget, LeftOut, type Scales, type ToolName } from '../src/domains/moving/index.ts'
import type { GivenScore } from '../src/domains/otlp/given.ts'
import type { PartImport } from '../src/domains/otlp/index.ts'
import { SpansOfTrace } from '../src/domains/otlp/stored-part.ts'
import { toTrace } from './otlp-spans.ts'

function exportFile(name: string): string {
  return new URL(`./exports/${name}`, import.meta.url).pathname
}

export interface ReadExport {
  traces: Map<string, CreateTrace>
  scores: (GivenScore & { traceId: string })[]
  /** Parts of records without a place in a trace, by reason. */
  left: Record<string, number>
  /** The line of each record, and the reason if it is rejected. */
  records: { line: number; error?: string }[]
}

/** Reads the content of a file as the import does, and puts the traces together. `size` is the size of the chunks. */
export async function readContent(
  tool: ToolName,
  content: Buffer | string,
  { scales = new Map(), size = 1000 }: { scales?: Scales; size?: number } = {},
): Promise<ReadExport> {
  const bytes = Buffer.from(content)
  const leftOut = new LeftOut()
  const target = exportTarget({
    projectId: 'p',
    tool,
    scales,
    leftOut,
    parts: undefined as unknown as PartImport,
    beginning: bytes.subarray(0, 65_536),
    maxRecordBytes: 1e6,
  })
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const byTrace = new Map<string, SpansOfTrace>()
  const records: ReadExport['records'] = []
  let lines = 0
  for await (const some of target.split(chunks())) {
    for (const record of some) {
      const line = lines + record.linesBefore + 1
      lines += record.lines
      if (record.bytes.length === 0) continue
      try {
        for (const { traceId, part } of target.read(record) ?? []) {
          const spans = byTrace.get(traceId) ?? new SpansOfTrace(traceId)
          byTrace.set(traceId, spans)
          // Parts are stored as JSON.
          spans.add(`${line}`, [JSON.parse(JSON.stringify(part))], 100)
        }
        records.push({ line })
      } catch (error) {
        records.push({ line, error: (error as Error).message })
      }
    }
  }
  const whole = [...byTrace.values()].filter(({ isEmpty }) => !isEmpty)
  return {
    traces: new Map(whole.map(({ traceId, spans, given }) => [traceId, toTrace(spans, given)])),
    scores: [...byTrace.values()].flatMap((each) =>
      each.scores().map((score) => ({ traceId: each.traceId, ...score })),
    ),
    left: Object.fromEntries(leftOut.counts),
    records,
  }
}

/** Reads files of `test/exports`, one after the other. */
export function readExports(tool: ToolName, ...names: string[]): Promise<ReadExport> {
  return readContent(tool, Buffer.concat(names.map((name) => readFileSync(exportFile(name)))))
}
