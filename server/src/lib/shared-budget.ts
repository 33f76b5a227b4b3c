import type { Tenant } from './fair-queue.ts'

/** The amount that a project or a user holds. */
class Account {
  used = 0
  readonly parts = new Map<string, Account>()

  part(name: string): Account {
    const known = this.parts.get(name)
    if (known) return known
    const part = new Account()
    this.parts.set(name, part)
    return part
  }
}

/**
 * An amount, such as memory, that tenants share. A project may hold at most half of it, and an end user at most half of
 * the project's part. If all of it is in use, a project still gets its equal part, so early projects cannot exclude
 * others. The first request of a project is always admitted, because each request is bounded by itself.
 */
export class SharedBudget {
  readonly #max: number
  readonly #all = new Account()

  constructor(max: number) {
    this.#max = max
  }

  get used(): number {
    return this.#all.used
  }

  /** Takes a part. Returns a function that returns the part, or undefined if there is no room. */
  take([projectId, userId = '']: Tenant, amount: number): (() => void) | undefined {
    const project = this.#all.part(projectId)
    const user = project.part(userId)
    if (!this.#hasRoom(project, user, userId !== '', amount)) {
      this.#forget(projectId, userId)
      return undefined
    }
    for (const account of [this.#all, project, user]) account.used += amount
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      for (const account of [this.#all, project, user]) account.used -= amount
      this.#forget(projectId, userId)
    }
  }

  #hasRoom(project: Account, user: Account, isUser: boolean, amount: number): boolean {
    if (project.used === 0) return true
    const ofProject = this.#max / 2
    if (!fits(this.#all, project, this.#max, amount)) return false
    return !isUser || user.used === 0 || fits(project, user, ofProject, amount)
  }

  #forget(projectId: string, userId: string): void {
    const project = this.#all.parts.get(projectId)
    if (project?.parts.get(userId)?.used === 0) project.parts.delete(userId)
    if (project?.used === 0) this.#all.parts.delete(projectId)
  }
}

function fits(whole: Account, part: Account, max: number, amount: number): boolean {
  const wanted = part.used + amount
  return wanted <= max / 2 && (whole.used + amount <= max || wanted <= max / whole.parts.size)
}
