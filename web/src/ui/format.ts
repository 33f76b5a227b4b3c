/** `812 ms`, `1.24 s`. */
export function formatDuration(ms: number): string {
  return ms < 1000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(2)} s`
}

/** How long ago, in the largest unit that fits: `now`, `12 s ago`, `3 min ago`, `2 h ago`. */
export function formatAgo(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 1) return 'now'
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  return `${Math.floor(seconds / 3600)} h ago`
}
