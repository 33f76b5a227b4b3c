/** The records of a CSV text according to RFC 4180; throws if the text violates it. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  while (at < text.length) {
    const [cell, end] = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at)
    record.push(cell)
    at = end
    if (text[at] === ',') {
      at += 1
      if (at === text.length) throw new Error('the text ends after a comma')
      continue
    }
    if (!text.startsWith('\r\n', at))
      throw new Error(`no record ends at ${at}: ${text.slice(at - 20, at + 20)}`)
    at += 2
    records.push(record)
    record = []
  }
  return records
}

function readPlain(text: string, from: number): [string, number] {
  const end = from + text.slice(from).search(/[,\r\n"]|$/)
  return [text.slice(from, end), end]
}

function readQuoted(text: string, from: number): [string, number] {
  let at = from + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) throw new Error(`the quote at ${from} is not closed`)
    if (text[quote + 1] !== '"') return [text.slice(from + 1, quote).replaceAll('""', '"'), quote + 1]
    at = quote + 2
  }
}
