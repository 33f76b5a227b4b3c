import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seededRandom } from '../random.ts'
import type { HostileFile } from './file.ts'

const folders = ['../../http/fixtures/libreoffice/', '../../../../shared/data/documents/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)
const types = ['.pdf', '.docx', '.html']
/** Larger files take long to extract. */
const mostBytes = 200_000
/** Numbers and words with a meaning in file formats. */
const words = [
  'endstream',
  'obj',
  '<<',
  '>>',
  '[',
  ']',
  '-1',
  '2147483648',
  '99999999999',
  'null',
  '/Kids',
  '<w:p>',
  '</',
  '&#',
]

/** Real documents, shortest first. */
function samples(): { name: string; bytes: Buffer }[] {
  const paths = folders
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder).map((name) => folder + name))
  return paths
    .filter((path) => types.includes(extname(path)))
    .map((path) => ({ name: path.split('/').at(-1) ?? '', bytes: readFileSync(path) }))
    .filter(({ bytes }) => bytes.length <= mostBytes)
}

/** A copy with a changed, repeated, removed or moved part. */
function mutated(bytes: Buffer, random: () => number): Buffer {
  const place = () => Math.floor(random() * bytes.length)
  const [from, to] = [place(), place()].sort((a, b) => a - b) as [number, number]
  switch (Math.floor(random() * 6)) {
    case 0: {
      const copy = Buffer.from(bytes)
      for (let count = 1 + Math.floor(random() * 50); count > 0; count--)
        copy[place()] = Math.floor(random() * 256)
      return copy
    }
    case 1:
      return bytes.subarray(0, to)
    case 2:
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
    case 3:
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)])
    case 4: {
      const word = words[Math.floor(random() * words.length)] ?? ''
      return Buffer.concat([bytes.subarray(0, from), Buffer.from(word), bytes.subarray(from + word.length)])
    }
    default: {
      const copy = Buffer.from(bytes)
      copy.copyWithin(from, place(), place())
      return copy
    }
  }
}

/** Copies of real documents with up to four changes; repeatable by a seed. */
export function mutatedFiles(count: number, seed: number): HostileFile[] {
  const random = seededRandom(seed)
  const originals = samples()
  return Array.from({ length: count }, (_, at) => {
    const { name, bytes } = originals[at % originals.length] as { name: string; bytes: Buffer }
    let content = bytes
    for (let changes = 1 + Math.floor(random() * 4); changes > 0; changes--)
      content = mutated(content, random)
    return { name: `changed ${at} ${name}`, content }
  })
}
