/** A long job runs for this time and then returns itself to the queue, so that other projects and processes get a turn. */
export const turnMs = 2_000

/** Jobs of a project that may be claimed now. */
export interface Claim {
  projectId: string
  most: number
}

/**
 * The maximum number of jobs of one project that run at a time in one queue. A quarter of the places stays free for
 * other projects.
 */
export function shareOf(concurrency: number): number {
  return Math.max(1, concurrency - Math.max(1, Math.floor(concurrency / 4)))
}

/** Chooses the next projects: fewest running jobs first, then longest time since the last turn. */
export class Turns {
  readonly #perProject: number
  readonly #reserved: number
  readonly #running = new Map<string, number>()
  /** The number of a project's last turn; later turns have higher numbers. */
  readonly #lastTurns = new Map<string, number>()
  #turn = 0

  /** `reserved` places are free for projects without a running job. */
  constructor(perProject: number, reserved = 0) {
    this.#perProject = perProject
    this.#reserved = reserved
  }

  /** Shares free places among the projects that have due jobs. */
  choose(due: readonly string[], free: number): Claim[] {
    this.#forgetIdle(due)
    const chosen = new Map<string, number>()
    const runningOf = (projectId: string) =>
      (this.#running.get(projectId) ?? 0) + (chosen.get(projectId) ?? 0)
    const inTurn = due.toSorted(
      (a, b) => runningOf(a) - runningOf(b) || (this.#lastTurns.get(a) ?? 0) - (this.#lastTurns.get(b) ?? 0),
    )
    for (let left = free; left > 0; ) {
      const before = left
      for (const projectId of inTurn) {
        if (left === 0) break
        if (runningOf(projectId) >= this.#perProject) continue
        if (runningOf(projectId) > 0 && left <= this.#reserved) continue
        chosen.set(projectId, (chosen.get(projectId) ?? 0) + 1)
        left -= 1
      }
      if (left === before) break
    }
    return [...chosen].map(([projectId, most]) => ({ projectId, most }))
  }

  begin(projectId: string): void {
    this.#running.set(projectId, (this.#running.get(projectId) ?? 0) + 1)
    this.#turn += 1
    this.#lastTurns.set(projectId, this.#turn)
  }

  end(projectId: string): void {
    const left = (this.#running.get(projectId) ?? 0) - 1
    if (left > 0) this.#running.set(projectId, left)
    else this.#running.delete(projectId)
  }

  #forgetIdle(due: readonly string[]): void {
    const known = new Set(due)
    for (const projectId of this.#lastTurns.keys()) {
      if (!known.has(projectId) && !this.#running.has(projectId)) this.#lastTurns.delete(projectId)
    }
  }
}
