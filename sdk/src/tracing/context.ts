/** Remembers a value over asynchronous calls. */
export interface Context<T> {
  current(): T | undefined
  /** Runs `fn` so that it, and everything that it starts, sees `value`. */
  run<R>(value: T, fn: () => R): R
}

interface Storage {
  getStore(): unknown
  run<R>(value: unknown, fn: () => R): R
}

/** The class of Node, Deno, Bun and Workers; undefined in browsers. */
function asyncLocalStorage(): (new () => Storage) | undefined {
  const { process, AsyncLocalStorage } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => { AsyncLocalStorage?: new () => Storage } | undefined }
    AsyncLocalStorage?: new () => Storage
  }
  return AsyncLocalStorage ?? process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage
}

/**
 * A context that follows asynchronous calls. Without AsyncLocalStorage the value is only visible until the first `await`
 * of `fn`.
 */
export function createContext<T>(Storage = asyncLocalStorage()): Context<T> {
  if (Storage) {
    const storage = new Storage()
    return {
      current: () => storage.getStore() as T | undefined,
      run: (value, fn) => storage.run(value, fn),
    }
  }
  let current: T | undefined
  return {
    current: () => current,
    run(value, fn) {
      const before = current
      current = value
      try {
        return fn()
      } finally {
        current = before
      }
    },
  }
}
