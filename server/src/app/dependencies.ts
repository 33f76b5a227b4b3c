import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Db } from '../db/index.ts'

/** What the application is built over. */
export interface AppDependencies {
  config: Config
  db: Db
  adminToken: string
  /** 32 bytes, for the secrets in the database. */
  encryptionKey: Buffer
  version: string
  logger: FastifyBaseLogger
}
