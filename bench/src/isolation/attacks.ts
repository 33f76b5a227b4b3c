import type { Attack } from './attack.ts'
import { fileAttacks } from './attacks-files.ts'
import { readAttacks } from './attacks-reads.ts'
import { workAttacks } from './attacks-work.ts'
import { writeAttacks } from './attacks-writes.ts'

/** Every attack by its name; a new one is an entry of one of these tables. */
export const attacks: Record<string, Attack> = {
  ...fileAttacks,
  ...writeAttacks,
  ...readAttacks,
  ...workAttacks,
}
