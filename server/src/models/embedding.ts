import type { EmbeddingPurpose } from './provider.ts'

/** Converts texts to vectors; texts with similar meanings have similar directions. */
export interface EmbeddingModel {
  /** Provider, model and requested size. Stored with the vectors; vectors with different ids are never compared. */
  readonly id: string
  /** Length of each vector, if known before the first call. */
  readonly dimensions: number | undefined
  /**
   * One vector per text, in order, all of one length, not normalised. Texts are sent in as many calls as the provider
   * requires; no text may be blank. Throws ModelError, or the signal's reason.
   *
   * @param purpose default: a document
   */
  embed(texts: readonly string[], signal?: AbortSignal, purpose?: EmbeddingPurpose): Promise<Float32Array[]>
}
