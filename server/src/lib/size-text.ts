const units = [
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
] as const

/** An exact size for a message: `5 MiB`, `1.5 GiB`, `10000 bytes`. */
export function sizeText(bytes: number): string {
  for (const [unit, size] of units) {
    if (bytes >= size && Number.isInteger((bytes / size) * 10)) return `${bytes / size} ${unit}`
  }
  return `${bytes} bytes`
}
