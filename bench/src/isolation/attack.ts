import type { Target } from './client.ts'

/** An action that a tenant repeats until it is stopped. */
export interface Attack {
  /** Description in the results. */
  about: string
  /** Number of parallel loops. */
  atOnce: number
  /** Creates the data that the attack needs, before the measurement. */
  prepare?(target: Target): Promise<void>
  /** One round of a loop; returns the status of the response, if there was one. */
  round(target: Target, loop: number, round: number): Promise<number | undefined>
  /** Environment variables of the server that the attack needs. */
  env?: Record<string, string>
}
