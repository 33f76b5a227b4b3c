import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import { type Db, databaseFile, migrationState, openDatabase } from '../db/index.ts'
import { createDoctorStore } from '../domains/doctor/index.ts'
import { redisFault } from '../http/redis.ts'
import { version } from '../version.ts'
import { count, createProgress, plural } from './progress.ts'
import { refuseArguments } from './usage.ts'

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Why this version cannot work with the schema; undefined if it can. */
async function schemaFault(db: Db): Promise<string | undefined> {
  const { applied, known } = await migrationState(db)
  if (applied > known) return 'the database was created by a newer version of Cairn'
  if (applied === 0) return 'the database is empty; run cairn migrate, or start the server'
  if (applied < known) return `${plural(known - applied, 'migration')} missing: run cairn migrate first`
  say(`schema: all ${known} migrations`)
  return undefined
}

/** Looks at every row; returns the number of faults. */
async function examine(db: Db): Promise<number> {
  const doctor = createDoctorStore(db)
  const sizes = Object.entries(await doctor.sizes()).map(([name, size]) => `${count(size)} ${name}`)
  say(`holds:  ${sizes.join(', ')}`)
  const progress = createProgress()
  let [looked, faults] = [0, 0]
  for await (const { fault, count: found } of doctor.examine()) {
    looked++
    faults += found
    progress.show(() => `checked for ${fault}`)
    if (found > 0) progress.end()
    if (found > 0) say(`fault:  ${count(found)} ${fault}`)
  }
  progress.end()
  say(faults === 0 ? `${looked} checks, no fault` : `${looked} checks, ${plural(faults, 'fault')}`)
  return faults
}

/** Reports whether Redis responds, if it is configured; returns the number of faults. */
async function tryRedis({ redisUrl }: Config): Promise<number> {
  if (!redisUrl) return 0
  const fault = await redisFault(redisUrl)
  say(fault === undefined ? 'redis:  responds' : `fault:  Redis (REDIS_URL) does not respond: ${fault}`)
  return fault === undefined ? 0 : 1
}

/** Checks Redis and the database for faults; writes nothing to the database. */
export async function doctor(config: Config, args: string[]): Promise<number> {
  refuseArguments(args)
  say(`Cairn ${version}, ${config.databaseUrl ? 'PostgreSQL (DATABASE_URL)' : config.dataDir}`)
  const redisFaults = await tryRedis(config)
  if (!config.databaseUrl && !existsSync(databaseFile(config))) {
    say('fault:  the database does not exist')
    return 1
  }
  const db = await openDatabase(config)
  try {
    const fault = await schemaFault(db)
    if (fault === undefined) return (await examine(db)) + redisFaults === 0 ? 0 : 1
    say(`fault:  ${fault}`)
    return 1
  } finally {
    await db.close()
  }
}
