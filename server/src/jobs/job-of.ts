/** The id of the one job that something has, by the tail of its own id. */
export function jobOf(id: string): string {
  return `job_${id.slice(id.indexOf('_') + 1)}`
}
