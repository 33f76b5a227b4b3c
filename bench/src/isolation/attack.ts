import type { Target } from './client.ts'

/** An action that a tenant repeats without end. */
export interface Attack {
  /** For the reader of the results. */
  about: string
  /** Loops that run side by side. */
  atOnce: number
  /** Makes the data that the attack needs, before anything is measured. */
  prepare?(target: Target): Promise<void>
  /** One round of a loop; returns the status that came, where there is one. */
  round(target: Target, loop: number, round: number): Promise<number | undefined>
  /** Variables of the server that the attack needs. */
  env?: Record<string, string>
}
