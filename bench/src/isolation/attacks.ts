import type { Attack } from './attack.ts'
import { fileAttacks } from './attacks-files.ts'
import { readAttacks } from './attacks-reads.ts'
import { workAttacks } from './attacks-work.ts'
import { writeAttacks } from './attacks-writes.ts'

/** All attacks by name. Add a new attack to one of these tables. */
export const attacks: Record<string, Attack> = {
  ...fileAttacks,
  ...writeAttacks,
  ...readAttacks,
  ...workAttacks,
}
