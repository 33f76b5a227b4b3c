import type {
  BulkUploaded,
  DeletedFile,
  Event,
  FileList,
  ListEventsQuery,
  OwnAnswer,
  OwnAnswerEvent,
  OwnUploadedFile,
  Profile,
  RatedAnswer,
  Rating,
  ScopeValues,
} from '@cairn/contract'
import { streamAnswer } from './answer-stream.ts'
import { type UploadRequest, uploadForm } from './chats.ts'
import type { EventPage } from './event-log.ts'
import { type CallOptions, type ClientOptions, path, Transport, type UserCredential } from './transport.ts'

export interface UserClientOptions
  extends Pick<ClientOptions, 'baseUrl' | 'fetch' | 'retry' | 'timeoutSeconds'>,
    UserCredential {}

export interface UserQuestion {
  /** The last user message is the question; earlier messages are the conversation. */
  messages: readonly { role: 'user' | 'assistant'; content: string }[]
  /** Maximum tokens of the answer, up to the limit of the chat. */
  responseTokens?: number
  scopeFilters?: ScopeValues
}

export interface TextUpload {
  text: string
  name: string
  scopeValues?: ScopeValues
}

export interface UserRating {
  answerId: string
  rating: Rating
  /** Rejected without `shareComment`, because the developer of the application reads it. */
  comment?: string
  shareComment?: boolean
}

function ratingForm({ answerId, rating, comment, shareComment }: UserRating): FormData {
  const form = new FormData()
  form.set('answer_id', answerId)
  form.set('rating', rating)
  if (comment !== undefined) form.set('comment', comment)
  if (shareComment !== undefined) form.set('share_comment', String(shareComment))
  return form
}

function questionForm({ messages, responseTokens, scopeFilters }: UserQuestion, stream: boolean): FormData {
  const form = new FormData()
  form.set('messages', JSON.stringify(messages))
  form.set('stream', String(stream))
  if (responseTokens !== undefined) form.set('response_tokens', String(responseTokens))
  if (scopeFilters) form.set('scope_filters', JSON.stringify(scopeFilters))
  return form
}

/** A client of one end user of an application: their files, questions and events. */
export function createUserClient(options: UserClientOptions) {
  const transport = new Transport(options, 'user')

  return {
    profile: (call?: CallOptions) => transport.json<Profile>('GET', '/v1/me/profile', call),
    ask: (question: UserQuestion, call?: CallOptions) =>
      transport.json<OwnAnswer>('POST', '/v1/me/chats/query', {
        body: questionForm(question, false),
        ...call,
      }),
    /** The answer as events: context (the citations), content …, end or error. */
    stream: (question: UserQuestion, call?: CallOptions) =>
      streamAnswer<OwnAnswerEvent>(transport, '/v1/me/chats/query', questionForm(question, true), call),
    /** Rates an answer by its `answer_id`, in place of an earlier rating. */
    feedback: (rating: UserRating, call?: CallOptions) =>
      transport.json<RatedAnswer>('POST', '/v1/me/chats/feedback', { body: ratingForm(rating), ...call }),
    files: {
      /** Resolves when the file is on disk and searchable. */
      upload: async (request: UploadRequest, call?: CallOptions) =>
        transport.json<OwnUploadedFile>('POST', '/v1/me/chats/files/upload', {
          body: uploadForm(request),
          ...call,
        }),
      /** Uploads a plain text, whatever the extension of its name. */
      uploadText: ({ text, name, scopeValues }: TextUpload, call?: CallOptions) => {
        const body = new FormData()
        body.set('text_content', text)
        body.set('content_name', name)
        if (scopeValues) body.set('scope_values', JSON.stringify(scopeValues))
        return transport.json<OwnUploadedFile>('POST', '/v1/me/chats/files/upload', { body, ...call })
      },
      /** At most ten files per call; each file has its own result. */
      uploadAll: (files: readonly File[], scopeValues?: ScopeValues, call?: CallOptions) => {
        const body = new FormData()
        for (const file of files) body.append('files', file, file.name)
        if (scopeValues) body.set('scope_values', JSON.stringify(scopeValues))
        return transport.json<BulkUploaded>('POST', '/v1/me/chats/files/upload-bulk', { body, ...call })
      },
      /** Newest first. */
      list: (call?: CallOptions) => transport.json<FileList>('GET', '/v1/me/chats/files', call),
      delete: (fileId: string, call?: CallOptions) =>
        transport.json<DeletedFile>('DELETE', path`/v1/me/chats/files/${fileId}`, call),
    },
    /** Every event of the user, newest first, fetched page by page. */
    eachEvent: (query: ListEventsQuery = {}, call?: CallOptions) =>
      transport.each<Event>('/v1/me/events', { query, ...call }),
    /** One page of the user's events, newest first. */
    async events(query: ListEventsQuery = {}, call?: CallOptions): Promise<EventPage> {
      const { page: events, nextCursor } = await transport.page<Event[]>('/v1/me/events', { query, ...call })
      return { events, nextCursor }
    },
  }
}
