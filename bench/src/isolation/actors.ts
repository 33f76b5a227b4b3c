import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { AttackerTask, Outcomes } from './attacker-process.ts'
import type { Target } from './client.ts'
import type { Measures, VictimTask } from './victim-process.ts'

/** Starts a client in its own process, so that a busy client does not delay others. */
function start(file: string): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), { serialization: 'advanced' })
}

async function ask<T>(child: ChildProcess, task: AttackerTask | VictimTask): Promise<T> {
  child.send(task)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a client ended with ${code}`)
  })
  ended.catch(() => {})
  const [answer] = await Promise.race([once(child, 'message'), ended])
  return answer as T
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

export class Victim {
  readonly #child = start('./victim-process.ts')
  readonly #target: Target

  constructor(target: Target) {
    this.#target = target
  }

  measure(seconds: number, pace = 1): Promise<Measures> {
    return ask(this.#child, { target: this.#target, seconds, pace })
  }

  end(): Promise<void> {
    return end(this.#child)
  }
}

export class Attacker {
  readonly #child = start('./attacker-process.ts')
  readonly #task: Omit<AttackerTask, 'step'>

  constructor(attack: string, target: Target) {
    this.#task = { attack, target }
  }

  async prepare(): Promise<void> {
    const { error } = await ask<{ error?: string }>(this.#child, { ...this.#task, step: 'prepare' })
    if (error !== undefined) throw new Error(`the attack could not be prepared: ${error}`)
  }

  begin(): void {
    this.#child.send({ ...this.#task, step: 'start' } satisfies AttackerTask)
  }

  outcomes(): Promise<Outcomes> {
    return ask(this.#child, { ...this.#task, step: 'count' })
  }

  /** Ends the process and its connections. */
  end(): Promise<void> {
    return end(this.#child)
  }
}
