import type { ChatSettings } from '@cairn/contract'
import type { Tenant } from '../../lib/fair-queue.ts'
import type { ChatModel } from '../../models/chat.ts'
import type { Models } from '../../models/models.ts'
import { createChatReranker } from '../../models/rerank/chat-reranker.ts'
import type { Payer } from '../usage/index.ts'
import type { Rank } from './context.ts'
import type { ChosenReranker, Reranking } from './reranking/index.ts'

/** Who asks, and the owners of the costs. */
interface Asking {
  tenant: Tenant
  payer: Payer
  /** The model of the answer; by default the model of the settings. Undefined for an extractive answer. */
  model?: ChatModel | undefined
}

/** Chooses what ranks the passages of a chat. */
export class Rankers {
  readonly #models: Pick<Models, 'rerank' | 'chat'>
  readonly #reranking: Pick<Reranking, 'rank'>

  constructor(models: Pick<Models, 'rerank' | 'chat'>, reranking: Pick<Reranking, 'rank'>) {
    this.#models = models
    this.#reranking = reranking
  }

  /** The ranking that the settings choose; undefined if they choose none. */
  rankOf(settings: ChatSettings, asking: Asking): Rank | undefined {
    const { rerank_model: name } = settings
    if (name === null) return undefined
    const chosen =
      name === 'chat' ? this.#byChat(settings, asking) : { name, model: this.#models.rerank(name) }
    const { tenant, payer } = asking
    return (query, candidates) => this.#reranking.rank({ tenant, payer, query, candidates, chosen })
  }

  #byChat({ selected_model: selected }: ChatSettings, asking: Asking): ChosenReranker {
    const model = 'model' in asking ? asking.model : this.#models.chat(selected)
    return { name: 'chat', model: model && createChatReranker(model) }
  }
}
