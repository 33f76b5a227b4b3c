/** Freed native memory is returned when resident memory has grown by so many bytes since the last time. */
const growthBytes = 24 * 1024 * 1024

interface FreeMemoryOptions {
  /** The resident memory of the process, in bytes. */
  resident: () => number
  /** Returns freed memory to the operating system. */
  trim: () => Promise<void>
}

/**
 * Returns freed native memory to the operating system while a process grows. glibc does this only at the end of its heap:
 * one small block in use there keeps everything below it resident.
 */
export class FreeMemory {
  readonly #options: FreeMemoryOptions
  #lowest: number
  #isTrimming = false

  constructor(options: FreeMemoryOptions) {
    this.#options = options
    this.#lowest = options.resident()
  }

  /** Call it every few seconds. */
  async check(): Promise<void> {
    const { resident, trim } = this.#options
    this.#lowest = Math.min(this.#lowest, resident())
    if (this.#isTrimming || resident() - this.#lowest < growthBytes) return
    this.#isTrimming = true
    await trim().finally(() => {
      this.#isTrimming = false
      this.#lowest = resident()
    })
  }
}

/**
 * `malloc_trim(0)` of glibc, on a thread of libuv: it takes milliseconds to tenths of a second, in which other threads may
 * wait for memory. Undefined without glibc, or where the optional package koffi is not installed.
 */
export async function loadMallocTrim(): Promise<(() => Promise<void>) | undefined> {
  if (process.platform !== 'linux') return undefined
  try {
    const { default: koffi } = await import('koffi')
    const mallocTrim = koffi.load('libc.so.6').func('int malloc_trim(size_t pad)')
    // A failure is ignored, because the memory is only returned later.
    return () => new Promise((resolve) => mallocTrim.async(0, () => resolve()))
  } catch {
    // musl has no such function, and keeps little of what is freed.
    return undefined
  }
}
