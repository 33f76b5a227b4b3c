import { limits } from '@cairn/contract'
import { integer } from './parse.ts'
import { variable } from './variable.ts'

/** Background work, test runs, and streams. */
export const backgroundVariables = {
  jobLeaseSeconds: variable({
    name: 'CAIRN_JOB_LEASE_SECONDS',
    doc: 'Lease of background work. If a server dies, another one (or the same one) continues its work after this time.',
    fallback: 20,
    parse: integer(1, 3600),
  }),
  judgeConcurrency: variable({
    name: 'CAIRN_JUDGE_CONCURRENCY',
    doc: 'Calls to models that scoring batches and rules of one project make at the same time. All projects together make at most twice as many.',
    isLimit: true,
    fallback: 4,
    parse: integer(1, 100),
  }),
  runConcurrency: variable({
    name: 'CAIRN_RUN_CONCURRENCY',
    doc: 'Cases of a test run that are processed at the same time, unless the run sets another number.',
    isLimit: true,
    fallback: 4,
    parse: integer(1, limits.runConcurrency),
  }),
  maxCases: variable({
    name: 'CAIRN_MAX_CASES',
    doc: 'Cases of all test runs that one server process handles at the same time. One project may use three quarters of the places.',
    isLimit: true,
    fallback: 16,
    parse: integer(1, 1000),
  }),
  caseSeconds: variable({
    name: 'CAIRN_CASE_SECONDS',
    doc: 'Time limit of the target of a test run for one case, unless the run sets another limit.',
    isLimit: true,
    fallback: 60,
    parse: integer(1, limits.caseMs / 1000),
  }),
  heartbeatSeconds: variable({
    name: 'CAIRN_HEARTBEAT_SECONDS',
    doc: 'Time without an event after which a streamed answer sends a comment, so that proxies keep the connection open.',
    fallback: 15,
    parse: integer(1, 3600),
  }),
}
