import { CairnError, type ChatSettings } from '@cairn/contract'

/** The models that settings of a chat may name. */
export interface KnownModels {
  isKnownModel: (name: string) => boolean
  /** Whether a model of this name ranks passages. */
  isKnownReranker: (name: string) => boolean
  /** The reason why a model cannot embed; undefined if it can. */
  problemOfEmbedding: (name: string) => string | undefined
}

/**
 * Checks the models that settings name.
 *
 * @param prefix the path of the settings in the request, for the message
 * @throws CairnError `invalid_request` for a model that cannot be used
 */
export function checkModels(
  { isKnownModel, isKnownReranker, problemOfEmbedding }: KnownModels,
  settings: Partial<ChatSettings> | null | undefined,
  prefix = '',
): void {
  const { selected_model: name, rerank_model: reranker, embedding_model: embedding } = settings ?? {}
  if (name !== undefined && !isKnownModel(name)) {
    throw new CairnError('invalid_request', `${prefix}selected_model is unknown to this server`)
  }
  if (reranker != null && reranker !== 'chat' && !isKnownReranker(reranker)) {
    const advice = 'use "chat", null, or a rerank model that the server lists'
    throw new CairnError('invalid_request', `${prefix}rerank_model is unknown to this server; ${advice}`)
  }
  const problem = embedding == null ? undefined : problemOfEmbedding(embedding)
  if (problem) throw new CairnError('invalid_request', `${prefix}embedding_model ${problem}`)
}
