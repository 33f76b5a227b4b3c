import type { Answer } from '../api.ts'
import { refusalFault } from '../refusal.ts'
import { adminToken } from '../server.ts'
import type { FuzzRequest } from './requests.ts'
import type { World } from './world.ts'

/** Signs of internals of the server, which no response may contain. */
const inside = /\n\s+at \S+ \(|node_modules|node:internal|SQLITE_|cairn-e2e-/

/** Documented responses of a busy server, or of a server whose dependency fails. */
const busy = [502, 503]

function wordsNotFor({ caller }: FuzzRequest, world: World): string[] {
  const others = caller === 'admin' ? [] : world.sides.filter((side) => side.marker !== callerMarker(caller))
  return [adminToken, world.privateMarker, world.secretMarker, ...others.map(({ marker }) => marker)]
}

function callerMarker(caller: FuzzRequest['caller']): string | undefined {
  return typeof caller === 'object' ? caller.marker : undefined
}

/** The fault of a response; undefined if it has none. */
export function faultOf(request: FuzzRequest, answer: Answer, world: World): string | undefined {
  const { status, text } = answer
  const { statuses } = request.operation
  if (status >= 500 && !(busy.includes(status) && statuses.includes(status))) return 'the status'
  const word = wordsNotFor(request, world).find((each) => text.includes(each))
  if (word !== undefined) return `shows ${word}, which is not for the caller`
  if (inside.test(text)) return `shows ${inside.exec(text)?.[0]}`
  if (request.isTrespass && status < 300) return 'reaches what belongs to another tenant'
  return status < 300 ? undefined : refusalFault(answer, { status })
}
