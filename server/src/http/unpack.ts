import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { CairnError } from '@cairn/contract'
import type { FastifyRequest } from 'fastify'

const gunzipInThread = promisify(gunzip)

/** A body that unpacks to this size needs no part of the budget. */
const quickBytes = 256 * 1024

/** The unpacked bytes; undefined if they are more than the limit. */
async function unpackUpTo(bytes: Buffer, maxOutputLength: number): Promise<Buffer | undefined> {
  try {
    return await gunzipInThread(bytes, { maxOutputLength })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw new CairnError('invalid_request', 'the request body is not valid gzip', { cause: error })
  }
}

/**
 * The bytes of a body that may be compressed with gzip. Memory is bounded: unpacking ends at the limit, and a large result
 * is in the budget of bodies before it exists.
 * @throws `body_too_large`, `overloaded`, `unsupported_media_type` for another encoding
 */
export async function unpack(request: FastifyRequest, bytes: Buffer): Promise<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '' || bytes.length === 0) return bytes
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new CairnError('unsupported_media_type', 'Content-Encoding must be gzip or identity here')
  }
  const quick = await unpackUpTo(bytes, quickBytes)
  if (quick) return quick
  const { bodyLimit } = request.routeOptions
  const giveBack = request.reserveBody?.(bodyLimit)
  const unpacked = await unpackUpTo(bytes, bodyLimit)
  giveBack?.()
  if (!unpacked) throw new CairnError('body_too_large', 'the unpacked request body is too large')
  request.reserveBody?.(unpacked.length)
  return unpacked
}
