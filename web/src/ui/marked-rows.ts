/** The marked rows with some more or fewer; never more than `most`. */
export function withRows(
  marked: ReadonlySet<string>,
  keys: readonly string[],
  isOn: boolean,
  most = Number.POSITIVE_INFINITY,
): ReadonlySet<string> {
  const next = new Set(marked)
  for (const key of keys) {
    if (!isOn) next.delete(key)
    else if (next.size < most) next.add(key)
  }
  return next
}
