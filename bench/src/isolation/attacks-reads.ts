import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { sampleText } from '../support/sample-documents.ts'
import { values } from '../support/seed-traces.ts'
import type { Attack } from './attack.ts'
import { asAdmin, fileBody, inChat, inProject, jsonBody, openSocket, parsed, type Target } from './client.ts'

function get(about: string, atOnce: number, path: (number: number) => string): Attack {
  return {
    about,
    atOnce,
    round: async (target, loop, round) => (await inProject(target, 'GET', path(loop * 1000 + round))).status,
  }
}

/** Requests an export and disconnects before it begins. */
async function vanish(target: Target, loop: number): Promise<undefined> {
  const socket = openSocket(target, `GET /v1/${target.projectId}/analytics/export`, ['', ''])
  await once(socket, 'connect')
  await pause(loop % 4)
  socket.destroy()
}

/** Requests an export and reads only its head. */
async function stall(target: Target): Promise<undefined> {
  const socket = openSocket(target, `GET /v1/${target.projectId}/analytics/export`, ['', ''])
  await Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.pause()
  while (!socket.destroyed) await pause(1000)
}

async function storeLarge(target: Target): Promise<void> {
  const traces = Array.from({ length: 90 }, () => ({ input: 'a', output: 'x'.repeat(100_000) }))
  for (let at = 0; at < 11; at++)
    parsed(await inProject(target, 'POST', 'traces/batch', jsonBody({ traces })))
}

/** Uploads forty documents, whose graph has about 15 MB. */
async function uploadForty(target: Target): Promise<void> {
  for (let at = 0; at < 40; at++) {
    const body = fileBody(`note-${at}.md`, sampleText(300_000, at, `marker${at}`))
    parsed(await inChat(target, 'POST', 'upload_with_scopes', body))
  }
}

const nothing = 'q=quetzalcoatl'

export const readAttacks = {
  'exports-vanish': { about: 'exports whose clients leave at once', atOnce: 16, round: vanish },
  'exports-unread': { about: 'exports that nobody reads', atOnce: 16, round: stall },
  exports: get('exports that are read', 8, () => 'analytics/export?format=jsonl'),
  'search-4': get('searches over 60,000 traces, 4 at once', 4, () => `analytics/traces?${nothing}`),
  'search-16': get('searches over 60,000 traces, 16 at once', 16, () => `analytics/traces?${nothing}`),
  'sessions-search': get('sessions with q', 8, () => `analytics/sessions?${nothing}`),
  'metrics-search': get('metrics with q', 8, () => `analytics/metrics?${nothing}`),
  'metrics-attribute': get(
    'metrics by an attribute',
    16,
    (number) => `analytics/metrics?attr.customer=${values.customer[number % values.customer.length]}`,
  ),
  'series-attribute': get(
    'time series by an attribute',
    8,
    () => 'analytics/timeseries?group_by=attr.customer&interval=hour',
  ),
  'lists-large': {
    ...get('lists of 1,000 traces of 100 KB', 8, () => 'analytics/traces?limit=1000&view=preview'),
    prepare: storeLarge,
  },
  lists: get('lists of 1,000 traces, 32 at once', 32, () => 'analytics/traces?limit=1000'),
  'chat-search': {
    about: 'searches of a chat, 32 at once',
    atOnce: 32,
    round: async (target) =>
      (await inChat(target, 'POST', 'search', jsonBody({ query: 'the gauge', limit: 100 }))).status,
  },
  'wrong-keys': {
    about: 'requests with keys that do not exist',
    atOnce: 32,
    round: (target, loop, round) => {
      const projectKey = `tk_00000000000000000000_${String(loop * 1e6 + round).padStart(48, '0')}`
      return inProject({ ...target, projectKey }, 'GET', 'analytics/traces').then(({ status }) => status)
    },
  },
  'graph-data': {
    about: 'the graph of 40 files, 6 at once',
    atOnce: 6,
    prepare: uploadForty,
    round: async (target) => (await asAdmin(target, 'GET', `/graph_data/${target.chatId}`)).status,
  },
} satisfies Record<string, Attack>
