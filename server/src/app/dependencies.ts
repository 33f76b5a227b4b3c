import type { ServerRestarts } from '@cairn/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Db } from '../db/index.ts'
import type { OutgoingPolicy } from '../lib/guarded-fetch.ts'
import type { Queues } from './queues.ts'

/** What the application is built over. */
export interface AppDependencies {
  config: Config
  db: Db
  adminToken: string
  /** 32 bytes, for the secrets in the database. */
  encryptionKey: Buffer
  version: string
  logger: FastifyBaseLogger
  /** The process that starts this one again when it dies, where there is one. */
  supervisor?: { readonly restarts: ServerRestarts | undefined }
}

/** The same with the parts that the services share. */
export interface ServiceDependencies extends AppDependencies {
  queues: Queues
  /** The rules for addresses that tenants choose. */
  outgoing: OutgoingPolicy
}
