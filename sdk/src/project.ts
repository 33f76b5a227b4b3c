import type { ProjectCalls } from './projects.ts'

/** The same calls, without the id of the project as first argument. */
type Bound<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (projectId: string, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : Bound<Calls[Name]>
}

/** The calls of one project. */
export type ProjectClient = Bound<ProjectCalls> & { readonly projectId: string }

function bind(calls: object, projectId: string): object {
  const bound = Object.entries(calls).map(([name, call]) => [
    name,
    typeof call === 'function' ? (...rest: unknown[]) => call(projectId, ...rest) : bind(call, projectId),
  ])
  return Object.fromEntries(bound)
}

/** Binds every call, and every call of a group, to the project. */
export function bindProject(calls: ProjectCalls, projectId: string): ProjectClient {
  return { ...(bind(calls, projectId) as Bound<ProjectCalls>), projectId }
}
