import type { Config } from '../config.ts'
import { openDatabase } from '../db/index.ts'
import { upgrade } from './upgrade.ts'
import { refuseArguments } from './usage.ts'

/** Migrates the schema to the current version and stops. */
export async function runMigrations(config: Config, args: string[]): Promise<number> {
  refuseArguments(args)
  const db = await openDatabase(config)
  try {
    const applied = await upgrade(db)
    process.stdout.write(`${applied} ${applied === 1 ? 'migration' : 'migrations'} applied\n`)
    return 0
  } finally {
    await db.close()
  }
}
