/** A message to a child: a call of a function that its module exports. */
export interface Call {
  name: string
  task: unknown
}

/** A message from a child. `progress` is left out if it has not changed. */
export type Message =
  | { kind: 'ready' }
  | { kind: 'progress'; progress: unknown }
  | { kind: 'reply'; reply: unknown }
  | { kind: 'threw'; message: string }

/** The file descriptor for calls and messages. The standard descriptors stay free for libraries. */
export const channel = 3

/** A function of a child's module. Its reports reach the caller while it runs. */
export type ChildFunction = (task: never, report: (progress: unknown) => void) => unknown
