import { limits } from '@cairn/contract'
import { integer } from './parse.ts'
import { variable } from './variable.ts'

/** Background work, test runs, and streams. */
export const backgroundVariables = {
  jobLeaseSeconds: variable({
    name: 'CAIRN_JOB_LEASE_SECONDS',
    doc: 'For how long a server that dies holds its background work, until it or another one goes on with it.',
    fallback: 20,
    parse: integer(1, 3600),
  }),
  judgeConcurrency: variable({
    name: 'CAIRN_JUDGE_CONCURRENCY',
    doc: 'Calls to models that batches and rules of judges of one project make at the same time; those of all projects together make twice as many at most.',
    isLimit: true,
    fallback: 4,
    parse: integer(1, 100),
  }),
  runConcurrency: variable({
    name: 'CAIRN_RUN_CONCURRENCY',
    doc: 'Cases of a test run that are worked on at a time, unless the run says otherwise.',
    isLimit: true,
    fallback: 4,
    parse: integer(1, limits.runConcurrency),
  }),
  maxCases: variable({
    name: 'CAIRN_MAX_CASES',
    doc: 'Cases of all test runs that one server process works on at a time; a quarter of the places is kept from any one project.',
    isLimit: true,
    fallback: 16,
    parse: integer(1, 1000),
  }),
  caseSeconds: variable({
    name: 'CAIRN_CASE_SECONDS',
    doc: 'Time that the target of a test run has to answer a case, unless the run says otherwise.',
    isLimit: true,
    fallback: 60,
    parse: integer(1, limits.caseMs / 1000),
  }),
  heartbeatSeconds: variable({
    name: 'CAIRN_HEARTBEAT_SECONDS',
    doc: 'Time without an event after which a streamed answer sends a comment, so that proxies keep it open.',
    fallback: 15,
    parse: integer(1, 3600),
  }),
}
