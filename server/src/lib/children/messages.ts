/** What goes to a child: the call of a function that its module exports. */
export interface Call {
  name: string
  task: unknown
}

/** What comes from a child. `progress` is left out when there is nothing new of it. */
export type Message =
  | { kind: 'ready' }
  | { kind: 'progress'; progress: unknown }
  | { kind: 'reply'; reply: unknown }
  | { kind: 'threw'; message: string }

/** The descriptor over which a child reads calls and writes messages; the standard ones are left to libraries. */
export const channel = 3

/** A function of a child's module. What it reports reaches whoever called it, while it works. */
export type ChildFunction = (task: never, report: (progress: unknown) => void) => unknown
