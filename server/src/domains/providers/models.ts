import type { ModelList, TriedModel, TryModel } from '@cairn/contract'
import { type CatalogueOptions, listModels } from './catalogue.ts'
import { tryModel } from './try.ts'

/** The models for the console. */
export class ModelService {
  readonly #options: CatalogueOptions

  constructor(options: CatalogueOptions) {
    this.#options = options
  }

  list(): Promise<ModelList> {
    return listModels(this.#options)
  }

  /** @throws `invalid_request` for an unknown model, `conflict` without its provider, `model_failed` if the call fails */
  try(request: TryModel): Promise<TriedModel> {
    return tryModel(this.#options, request)
  }
}
