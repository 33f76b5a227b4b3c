/** Runs one task at a time for each key. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const result = before ? before.then(task, task) : task()
    this.#last.set(key, result)
    try {
      return await result
    } finally {
      if (this.#last.get(key) === result) this.#last.delete(key)
    }
  }
}
