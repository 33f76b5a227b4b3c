import type { Client } from '../client.ts'
import { createContext } from './context.ts'
import { wrapOpenAI } from './openai.ts'
import { Sender, type SenderOptions } from './sender.ts'
import { type ActiveSpan, Tracer } from './tracer.ts'

export type { SenderOptions } from './sender.ts'
export type { ActiveSpan, SpanFields, TraceFields } from './tracer.ts'

export interface TracingOptions extends SenderOptions {
  /** The project that gets the traces. Default: that of the client. */
  projectId?: string | undefined
}

interface NodeProcess {
  on?: (event: 'beforeExit', listener: () => void) => void
  off?: (event: 'beforeExit', listener: () => void) => void
}

/**
 * Records functions and model calls of an application as traces, and sends them in the background. It throws no errors of
 * its own. Traces that cannot be sent are kept up to a limit, then dropped and counted.
 */
export function tracing(client: Client, options: TracingOptions = {}) {
  const { traces } = client.project(options.projectId)
  const sender = new Sender((batch, idempotencyKey) => traces.createBatch(batch, { idempotencyKey }), options)
  const tracer = new Tracer(createContext(), (trace, characters) => sender.add(trace, characters))

  const flush = () => {
    tracer.completeAll()
    return sender.flush()
  }
  // Runs when nothing else keeps the application alive. The request does, until the traces are sent or given up.
  const atExit = () => {
    tracer.completeAll()
    void sender.close()
  }
  const { process } = globalThis as { process?: NodeProcess }
  process?.on?.('beforeExit', atExit)

  /**
   * Runs `fn` as a span: below the current span, or else as the root of a new trace. The value that `fn` returns is the
   * span's output unless `fn` sets another; an error is recorded and thrown on.
   */
  const span = <R>(name: string, fn: (span: ActiveSpan) => R): R => tracer.run(tracer.open(name), fn)

  return {
    /** The same as `span`; reads better for the outermost one. */
    trace: span,
    span,
    /** A client of the `openai` package whose calls are recorded: chat completions, responses and embeddings. */
    wrapOpenAI: <OpenAI extends object>(openai: OpenAI): OpenAI => wrapOpenAI(tracer, openai),
    /** Sends everything that is recorded. Resolves when it is on the server's disk, or the server did not take it. */
    flush,
    /** Sends everything, then drops what could not be sent. Call it before `process.exit()`. */
    async close(): Promise<void> {
      process?.off?.('beforeExit', atExit)
      tracer.completeAll()
      await sender.close()
    },
    /** Number of traces that were lost. */
    get dropped(): number {
      return sender.dropped
    },
  }
}

export type Tracing = ReturnType<typeof tracing>
