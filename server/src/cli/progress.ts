/** Progress of a long command: one line that is redrawn on a terminal, otherwise a new line every few seconds. */
export interface Progress {
  /** `text` is only called when a line is due. */
  show(text: () => string): void
  /** Prints a permanent line. */
  say(text: string): void
  end(): void
}

const redrawMs = 100
const lineMs = 5000

export function createProgress(output: NodeJS.WriteStream = process.stderr): Progress {
  const isTerminal = output.isTTY === true
  const everyMs = isTerminal ? redrawMs : lineMs
  let last = performance.now()
  const clear = isTerminal ? '\r\u001b[K' : ''
  return {
    show(text) {
      if (performance.now() - last < everyMs) return
      last = performance.now()
      output.write(isTerminal ? clear + text().slice(0, (output.columns ?? 80) - 1) : `${text()}\n`)
    },
    say: (text) => void output.write(`${clear}${text}\n`),
    end: () => void output.write(clear),
  }
}

export function bar(share: number, width = 24): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * width)
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}]`
}

/** `1h 02m`, `3m 05s` or `12s`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  if (hours > 0) return `${hours}h ${two(minutes)}m`
  return minutes > 0 ? `${minutes}m ${two(rest)}s` : `${rest}s`
}

/** `1,234,567` */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}

export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** Aborts on the first SIGINT or SIGTERM; a second one ends the process at once. */
export function stopOnSignal(): AbortSignal {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  return controller.signal
}
