/** The job id of a resource that has exactly one job; it is derived from the end of the resource's id. */
export function jobOf(id: string): string {
  return `job_${id.slice(id.indexOf('_') + 1)}`
}
