/** A JSON array of items that are already JSON. */
export function jsonArray(items: readonly Buffer[]): Buffer {
  const parts = items.flatMap((item, index) => (index === 0 ? [item] : [Buffer.from(','), item]))
  return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')])
}
