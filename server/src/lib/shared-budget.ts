import type { Tenant } from './fair-queue.ts'

/** What a project, or one of its users, has taken. */
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
 * An amount of something, such as memory, that tenants may hold at the same time. A project gets at most half of it, and
 * an end user at most half of the project's. When all of it is taken, a project still gets its equal part: those that
 * came first do not shut others out. The first request of a project is always taken, since each is bounded by itself.
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

  /** Takes a part; returns the function that gives it back, or undefined when there is no room. */
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
