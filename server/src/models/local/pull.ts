import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CuratedFile, CuratedModel } from './curated.ts'
import { LocalModelError, type PullRecord, recordName } from './folder.ts'

export interface PullOptions {
  /** Folder with one sub-folder per model. */
  folder: string
  /** Address of the hub. */
  hub: string
  signal: AbortSignal
  onProgress: (file: string, bytes: number, total: number | undefined) => void
  /** Time without a byte after which the pull has failed; default 60 seconds. */
  quietMs?: number
}

/** Files may have more bytes than the list says approximately, but not many more. */
const tolerance = 1.5
const megabyte = 1_000_000

/**
 * Fetches the files of a model, and moves them into the folder of models when all of them are complete and verified. Files of
 * an interrupted pull are continued. Replaces the model if it is there already; its recorded checksums must be the same.
 *
 * @throws LocalModelError
 */
export async function pullModel(model: CuratedModel, options: PullOptions): Promise<PullRecord> {
  const target = join(options.folder, model.name)
  const staging = join(options.folder, `.pull-${model.name}-${model.revision.slice(0, 12)}`)
  await mkdir(staging, { recursive: true })
  const known = recordOf(target)
  const files: Record<string, { bytes: number; sha256: string }> = {}
  for (const file of model.files) {
    const path = join(staging, file.name)
    if (!existsSync(path)) await fetchFile(model, file, path, options)
    const found = { bytes: (await stat(path)).size, sha256: await checksumOf(path) }
    const expected = file.sha256 ?? known?.files[file.name]?.sha256
    if (expected !== undefined && found.sha256 !== expected) {
      await rm(path)
      throw new LocalModelError(
        `${file.name} has the checksum ${found.sha256} instead of ${expected}; it was deleted, and nothing was installed`,
      )
    }
    files[file.name] = found
  }
  const source = `${options.hub}/${model.repository}/tree/${model.revision}`
  const record = { source, licence: model.licence, files }
  await writeFile(join(staging, recordName), `${JSON.stringify(record, undefined, 2)}\n`)
  await rm(target, { recursive: true, force: true })
  await rename(staging, target)
  return record
}

function recordOf(folder: string): PullRecord | undefined {
  const path = join(folder, recordName)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as PullRecord) : undefined
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest('hex')
}

/** Fetches a file into `path`, through `path`.part, which an interrupted pull leaves for the next one. */
async function fetchFile(
  { repository, revision, megabytes }: CuratedModel,
  file: CuratedFile,
  path: string,
  { hub, signal, onProgress, quietMs = 60_000 }: PullOptions,
): Promise<void> {
  const url = `${hub}/${repository}/resolve/${revision}/${file.path}`
  const part = `${path}.part`
  const begun = existsSync(part) ? (await stat(part)).size : 0
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), quietMs)
  const late = () =>
    new LocalModelError(`${url} sent nothing for ${quietMs / 1000} seconds; pull again to continue`)
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, silence.signal]),
      ...(begun > 0 && { headers: { range: `bytes=${begun}-` } }),
    })
    if (response.status === 416) {
      await rm(part)
      throw new LocalModelError(`${url}: the begun file did not fit and was deleted; pull again`)
    }
    if (!response.ok || !response.body) throw new LocalModelError(`${url} answered ${response.status}`)
    const isContinued = response.status === 206
    let bytes = isContinued ? begun : 0
    const length = Number(response.headers.get('content-length') ?? Number.NaN)
    const total = Number.isFinite(length) ? bytes + length : undefined
    const output = createWriteStream(part, { flags: isContinued ? 'a' : 'w' })
    try {
      for await (const piece of response.body) {
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(), quietMs)
        bytes += piece.length
        if (bytes > tolerance * megabytes * megabyte) {
          throw new LocalModelError(`${url} is larger than the ${megabytes} MB of the model`)
        }
        if (!output.write(piece)) await once(output, 'drain')
        onProgress(file.name, bytes, total)
      }
    } finally {
      output.end()
      await once(output, 'close')
    }
    if (total !== undefined && bytes !== total) {
      throw new LocalModelError(`${url} ended after ${bytes} of ${total} bytes; pull again to continue`)
    }
  } catch (error) {
    if (signal.aborted) throw new LocalModelError('stopped; pull again to continue')
    if (silence.signal.aborted) throw late()
    if (error instanceof LocalModelError) throw error
    const reason =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new LocalModelError(`${url} could not be read: ${reason}; pull again to continue`)
  } finally {
    clearTimeout(timer)
  }
  await rename(part, path)
}
