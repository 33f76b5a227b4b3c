import {
  type BulkResult,
  type BulkUploaded,
  CairnError,
  type DeletedFile,
  type FileList,
  limits,
  type OwnUploadedFile,
} from '@cairn/contract'
import { sizeText } from '../../lib/size-text.ts'
import type { ScopeService } from '../scopes/index.ts'
import type { FileOwner } from './file-owner.ts'
import { sanitizeFilename } from './filename.ts'
import type { FileService } from './files.ts'
import type { DocumentService } from './upload/index.ts'

/** A file or a named text from an end user. */
export interface UserContent {
  filename: string
  bytes: Uint8Array<ArrayBuffer>
  isText: boolean
  /** True if `bytes` are truncated, because the content exceeds the size limit. */
  isTooLarge: boolean
}

export interface UserFileDependencies {
  documents: DocumentService
  files: FileService
  scopes: ScopeService
  maxFileBytes: number
}

const guarantee = {
  permanent_storage: true,
  user_private_subchat: true,
  developer_cannot_access: true,
  oauth_validated: true,
} as const

/** The files of end users; each user's files are in a private chat. */
export class UserFileService {
  readonly #dependencies: UserFileDependencies

  constructor(dependencies: UserFileDependencies) {
    this.#dependencies = dependencies
  }

  /** Resolves when the file is durable and searchable. */
  async upload(
    owner: FileOwner,
    { isTooLarge, ...content }: UserContent,
    scopeValues: string | undefined,
    signal: AbortSignal,
  ): Promise<OwnUploadedFile> {
    const { documents, maxFileBytes } = this.#dependencies
    if (isTooLarge) {
      const what = content.isText ? 'text_content' : 'the file'
      throw new CairnError('body_too_large', `${what} is larger than ${sizeText(maxFileBytes)}`)
    }
    // Whether a file is empty depends on its format, so extraction checks that.
    if (content.isText && Buffer.from(content.bytes).toString('utf8').trim() === '') {
      throw new CairnError('unreadable_file', 'the text is empty')
    }
    const uploaded = await documents.upload({ ...content, chatId: owner.chatId, scopeValues, owner, signal })
    const { filename, file_id, chat_id, size_bytes, processing_status, duplicate, message } = uploaded
    return {
      success: true,
      filename,
      file_id,
      chat_id,
      user_id: owner.userId,
      size_bytes,
      processing_status,
      privacy_guarantee: guarantee,
      ...(duplicate && { duplicate }),
      message,
    }
  }

  /** Uploads one after the other; a failure does not stop the rest. `explain` makes the message of a failure. */
  async uploadAll(
    owner: FileOwner,
    contents: readonly UserContent[],
    scopeValues: string | undefined,
    explain: (error: unknown) => string,
    signal: AbortSignal,
  ): Promise<BulkUploaded> {
    if (contents.length > limits.bulkFiles) {
      throw new CairnError(
        'invalid_request',
        `files must not be more than ${limits.bulkFiles} files or texts`,
      )
    }
    // Checked first, because the same scope values apply to all files.
    await this.#dependencies.scopes.checkPrivateUpload(owner, scopeValues)
    const results: BulkResult[] = []
    for (const content of contents) {
      const result = await this.upload(owner, content, scopeValues, signal).catch((error) =>
        failure(content, explain(error)),
      )
      const { filename, success, file_id, size_bytes, processing_status } = result
      const { error, duplicate } = { error: undefined, duplicate: undefined, ...result }
      const shown = { filename, success, file_id, size_bytes, processing_status }
      results.push({ ...shown, ...(error !== undefined && { error }), ...(duplicate && { duplicate }) })
    }
    const good = results.filter(({ success }) => success)
    return {
      success: good.length > 0,
      total_files: results.length,
      successful_uploads: good.length,
      failed_uploads: results.length - good.length,
      total_size_bytes: good.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
      chat_id: owner.chatId,
      user_id: owner.userId,
      results,
      message: `${good.length} of ${results.length} uploaded`,
    }
  }

  /** Newest first. */
  list({ chatId }: FileOwner): Promise<FileList> {
    return this.#dependencies.files.list(chatId)
  }

  delete(owner: FileOwner, fileId: string): Promise<DeletedFile> {
    return this.#dependencies.files.deleteForApi(owner.chatId, fileId, owner)
  }
}

function failure({ filename, bytes }: UserContent, error: string): BulkResult {
  return {
    filename: sanitizeFilename(filename),
    success: false,
    error,
    file_id: null,
    // For a file that is too large, only the bytes that were read.
    size_bytes: bytes.length,
    processing_status: 'failed',
  }
}
