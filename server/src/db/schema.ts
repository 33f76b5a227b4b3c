import type { AccessTables } from './schema/access.ts'
import type { ChatTables } from './schema/chats.ts'
import type { CreditTables } from './schema/credits.ts'
import type { DocumentTables } from './schema/documents.ts'
import type { EventTables } from './schema/events.ts'
import type { OtlpTables } from './schema/otlp.ts'
import type { ScoringTables } from './schema/scoring.ts'
import type { TestingTables } from './schema/testing.ts'
import type { TraceTables } from './schema/traces.ts'

/**
 * The tables for Kysely; the migrations create them. Times are epoch milliseconds, booleans are 0 or 1, JSON is text.
 * The primary key of every tenant table begins with its tenant column.
 */
export interface Tables
  extends AccessTables,
    TraceTables,
    OtlpTables,
    ScoringTables,
    TestingTables,
    ChatTables,
    DocumentTables,
    CreditTables,
    EventTables {}
