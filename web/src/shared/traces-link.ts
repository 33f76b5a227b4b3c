/** Props of a link to the list of traces with these filters. */
export function tracesLink(projectId: string, search: Record<string, string | string[]>) {
  // The route of the list validates its search parameters.
  return { to: `/projects/${projectId}/traces` as string, search: search as never }
}
