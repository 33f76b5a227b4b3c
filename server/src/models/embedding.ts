/** Turns texts into vectors whose directions are alike when their meanings are. */
export interface EmbeddingModel {
  /** Provider, model and size asked for. Stored with the vectors: those of different ids are never compared. */
  readonly id: string
  /** Length of each vector, as far as it is known before the first call. */
  readonly dimensions: number | undefined
  /**
   * One vector a text, in their order, all of one length, not normalised. The texts are sent in as many calls as the
   * provider wants; none may be blank. Throws ModelError, or the signal's reason.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
}
