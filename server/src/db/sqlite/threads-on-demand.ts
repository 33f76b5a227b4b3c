import type { ThreadSetup } from './protocol.ts'
import { DatabaseThread } from './thread.ts'

/** An idle thread ends after this time, because it holds about 15 MB. */
const idleMs = 10_000

interface Slot {
  thread: DatabaseThread
  users: number
  idle: NodeJS.Timeout | undefined
}

/** Threads that start on demand, up to `most`, and end when they are idle. */
export class ThreadsOnDemand {
  readonly #setup: ThreadSetup
  readonly #most: number
  #slots: Slot[] = []

  constructor(setup: ThreadSetup, most: number) {
    this.#setup = setup
    this.#most = most
  }

  /** An unshared thread, unless the maximum is reached. Return it with `release`. */
  acquire(): DatabaseThread {
    this.#slots = this.#slots.filter(({ thread }) => !thread.hasFailed)
    const least = this.#slots.reduce<Slot | undefined>((a, b) => (a && a.users <= b.users ? a : b), undefined)
    const slot = least && (least.users === 0 || this.#slots.length >= this.#most) ? least : this.#start()
    clearTimeout(slot.idle)
    slot.users += 1
    return slot.thread
  }

  release(thread: DatabaseThread): void {
    const slot = this.#slots.find((each) => each.thread === thread)
    if (!slot) return
    slot.users -= 1
    if (slot.users === 0) slot.idle = setTimeout(() => void this.#end(slot), idleMs).unref()
  }

  async close(): Promise<void> {
    await Promise.all(this.#slots.map((slot) => this.#end(slot)))
  }

  #start(): Slot {
    const slot: Slot = { thread: new DatabaseThread(this.#setup), users: 0, idle: undefined }
    this.#slots.push(slot)
    return slot
  }

  async #end(slot: Slot): Promise<void> {
    clearTimeout(slot.idle)
    this.#slots = this.#slots.filter((each) => each !== slot)
    await slot.thread.close().catch(() => {})
  }
}
