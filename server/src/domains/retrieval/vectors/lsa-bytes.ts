import { type LsaFit, numbersOf } from './lsa.ts'

interface Header {
  dimensions: number
  terms: readonly string[]
}

/** Encodes a fit: the length of a JSON header (32 bits), the header, and the numbers in half precision. */
export function encodeLsaFit({ dimensions, terms, idf, loadings }: LsaFit): Uint8Array {
  const header = Buffer.from(JSON.stringify({ dimensions, terms } satisfies Header))
  const bytes = new Uint8Array(alignedStart(header.length) + 2 * (idf.length + loadings.length))
  new DataView(bytes.buffer).setUint32(0, header.length)
  bytes.set(header, 4)
  const numbers = new Float16Array(bytes.buffer, alignedStart(header.length))
  numbers.set(idf)
  numbers.set(loadings, idf.length)
  return bytes
}

/** The inverse of `encodeLsaFit`; numbers have a precision of three to four digits. */
export function decodeLsaFit(stored: Uint8Array): LsaFit {
  // Float16Array needs an even offset, which a copy has.
  const bytes = new Uint8Array(stored)
  const length = new DataView(bytes.buffer).getUint32(0)
  const header = JSON.parse(Buffer.from(bytes.buffer, 4, length).toString()) as Header
  const numbers = new Float32Array(new Float16Array(bytes.buffer, alignedStart(length)))
  const { dimensions, terms } = header
  const idf = numbers.slice(0, terms.length)
  return { dimensions, terms, numbers: numbersOf(terms), idf, loadings: numbers.slice(terms.length) }
}

function alignedStart(headerLength: number): number {
  return 4 + headerLength + (headerLength % 2)
}
