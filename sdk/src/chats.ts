import type {
  ChangedSettings,
  ChatInfo,
  ChatScopes,
  ChatSettingsAnswer,
  ClearedScopes,
  ConfiguredScopes,
  ConfigureScopes,
  DeletedFile,
  FileChunks,
  FileChunksQuery,
  FileList,
  FileStatus,
  QueryRequest,
  QueryResponse,
  RateAnswer,
  RatedAnswer,
  ScopeValues,
  SearchRequest,
  SearchResponse,
  UpdateSettings,
  UploadedFile,
} from '@cairn/contract'
import { streamAnswer } from './answer-stream.ts'
import { type CallOptions, type ClientOptions, path, Transport } from './transport.ts'

export interface UploadRequest {
  file: Blob
  /** The extension determines the file type. Required for a Blob; a File has its own name. */
  filename?: string
  scopeValues?: ScopeValues
}

export function uploadForm({ file, filename, scopeValues }: UploadRequest): FormData {
  const name = filename ?? ('name' in file && typeof file.name === 'string' ? file.name : undefined)
  if (!name) throw new Error('filename is needed for a file without a name')
  const form = new FormData()
  form.set('file', file, name)
  if (scopeValues) form.set('scope_values', JSON.stringify(scopeValues))
  return form
}

/** Calls that need a key of the chat. */
export function chatCalls(client: ClientOptions) {
  const transport = new Transport(client, 'key')

  return {
    chats: {
      info: (chatId: string, options?: CallOptions) =>
        transport.json<ChatInfo>('GET', path`/v1/${chatId}/info`, options),
      settings: (chatId: string, options?: CallOptions) =>
        transport.json<ChatSettingsAnswer>('GET', path`/v1/${chatId}/settings`, options),
      /** Changes some settings and publishes them immediately. */
      updateSettings: (chatId: string, settings: UpdateSettings, options?: CallOptions) =>
        transport.json<ChangedSettings>('POST', path`/v1/${chatId}/settings`, {
          body: settings,
          ...options,
        }),
    },
    scopes: {
      /** Replaces the scope configuration of the chat. */
      configure: (chatId: string, request: ConfigureScopes, options?: CallOptions) =>
        transport.json<ConfiguredScopes>('POST', path`/v1/${chatId}/scopes/configure`, {
          body: request,
          ...options,
        }),
      list: (chatId: string, options?: CallOptions) =>
        transport.json<ChatScopes>('GET', path`/v1/${chatId}/scopes`, options),
      /** Deletes the scope configuration; documents keep their values. */
      clear: (chatId: string, options?: CallOptions) =>
        transport.json<ClearedScopes>('DELETE', path`/v1/${chatId}/scopes`, options),
    },
    documents: {
      /** Resolves when the file is on disk and searchable. */
      upload: async (chatId: string, request: UploadRequest, options?: CallOptions) =>
        transport.json<UploadedFile>('POST', path`/v1/${chatId}/upload_with_scopes`, {
          body: uploadForm(request),
          ...options,
        }),
      /** Newest first. */
      list: (chatId: string, options?: CallOptions) =>
        transport.json<FileList>('GET', path`/v1/${chatId}/files`, options),
      status: (chatId: string, fileId: string, options?: CallOptions) =>
        transport.json<FileStatus>('GET', path`/v1/${chatId}/files/${fileId}/status`, options),
      /** One page of chunks in order, with their pages and headings. */
      chunks: (chatId: string, fileId: string, query: FileChunksQuery = {}, options?: CallOptions) =>
        transport.json<FileChunks>('GET', path`/v1/${chatId}/files/${fileId}/chunks`, { query, ...options }),
      /** Deletes the file with its chunks. After the promise resolves, no answer uses the file. */
      delete: (chatId: string, fileId: string, options?: CallOptions) =>
        transport.json<DeletedFile>('DELETE', path`/v1/${chatId}/files/${fileId}`, options),
    },
    answers: {
      ask: (chatId: string, request: QueryRequest, options?: CallOptions) =>
        transport.json<QueryResponse>('POST', path`/v1/${chatId}/answer_question`, {
          body: request,
          ...options,
        }),
      /** See `streamAnswer`. */
      stream: (chatId: string, request: QueryRequest, options?: CallOptions) =>
        streamAnswer(transport, path`/v1/${chatId}/answer_question_stream`, request, options),
      /** The passages that an answer would use, without the answer. Needs the permission `read`. */
      search: (chatId: string, request: SearchRequest, options?: CallOptions) =>
        transport.json<SearchResponse>('POST', path`/v1/${chatId}/search`, { body: request, ...options }),
      /** Rates an answer by its `answer_id`, in place of an earlier rating. */
      feedback: (chatId: string, request: RateAnswer, options?: CallOptions) =>
        transport.json<RatedAnswer>('POST', path`/v1/${chatId}/feedback`, { body: request, ...options }),
    },
  }
}

export type ChatCalls = ReturnType<typeof chatCalls>
