import { ChildError } from '../../lib/children/child-error.ts'
import type { EmbeddingModel } from '../embedding.ts'
import { ModelError } from '../model-error.ts'
import type { RerankModel } from '../rerank/rerank-model.ts'
import { byScore } from '../rerank/wire.ts'
import { type InstalledModel, installedModels, LocalModelError, readModel } from './folder.ts'
import { LocalProcess } from './local-process.ts'

/** Texts of one step. Other calls wait for its end, and larger steps are hardly faster on one core. */
const textsPerStep = 4

/** Models of this machine, each in a process of its own that starts with its first use. */
export class LocalModels {
  readonly #processes: LocalProcess[] = []
  readonly #embeddings = new Map<string, EmbeddingModel>()
  readonly rerankers: readonly RerankModel[]

  /**
   * @param folder with one sub-folder per model
   * @param onProblem called when a model cannot be run
   * @throws LocalModelError for a folder with an invalid model
   */
  constructor(folder: string, onProblem: (model: string, problem: unknown) => void) {
    const rerankers: RerankModel[] = []
    for (const model of installedModels(folder)) {
      const process = new LocalProcess({ read: () => readModel(model) })
      this.#processes.push(process)
      const run = runner(model, process, onProblem)
      if (model.kind === 'rerank') rerankers.push(createReranker(model, run))
      else this.#embeddings.set(`local/${model.name}`, createEmbedding(model, run))
    }
    this.rerankers = rerankers
  }

  /** An embedding model by its name with `local/`. */
  embedding(name: string): EmbeddingModel | undefined {
    return this.#embeddings.get(name)
  }

  close(): void {
    for (const process of this.#processes) process.close()
  }
}

type Run = LocalProcess['run']

/** Failures of a process as failures of the model. */
function runner(
  { name }: InstalledModel,
  process: LocalProcess,
  onProblem: (model: string, problem: unknown) => void,
): Run {
  return async (steps, signal) => {
    try {
      return await process.run(steps, signal)
    } catch (error) {
      const isOwn = error instanceof ChildError || error instanceof LocalModelError
      if (!isOwn) throw error
      onProblem(name, error)
      const isLate = error instanceof ChildError && error.reason === 'time'
      throw new ModelError(`local/${name}`, isLate ? 'timeout' : 'broken')
    }
  }
}

/** Positions of the texts in groups of similar lengths, because a group is filled up to its longest text. */
function groupsOf(texts: readonly string[], size: number): number[][] {
  const order = [...texts.keys()].sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0))
  return Array.from({ length: Math.ceil(order.length / size) }, (_, at) =>
    order.slice(at * size, (at + 1) * size),
  )
}

function createEmbedding({ name }: InstalledModel, run: Run): EmbeddingModel {
  return {
    id: `local/${name}`,
    dimensions: undefined,
    async embed(texts, signal) {
      const groups = groupsOf(texts, textsPerStep)
      const steps = groups.map((group) => ({
        name: 'embed' as const,
        task: { texts: group.map((at) => (texts[at] ?? '').toWellFormed()) },
      }))
      const results = await run(steps, signal)
      const vectors: Float32Array[] = Array(texts.length)
      for (const [number, group] of groups.entries()) {
        const all = results[number] ?? new Float32Array()
        const size = all.length / group.length
        for (const [place, at] of group.entries()) vectors[at] = all.slice(place * size, (place + 1) * size)
      }
      if (vectors.some((vector) => vector.length === 0 || !vector.every(Number.isFinite))) {
        throw new ModelError(`local/${name}`, 'broken', {
          detail: 'vectors with numbers that are not finite',
        })
      }
      return vectors
    },
  }
}

function createReranker({ name }: InstalledModel, run: Run): RerankModel {
  return {
    name: `local/${name}`,
    isLocal: true,
    async rerank(query, passages, signal) {
      const groups = groupsOf(passages, textsPerStep)
      const steps = groups.map((group) => ({
        name: 'rank' as const,
        task: { query, passages: group.map((at) => passages[at] ?? '') },
      }))
      const results = await run(steps, signal)
      const scores = groups.flatMap((group, number) =>
        group.map((at, place): [number, number] => [at, results[number]?.[place] ?? Number.NaN]),
      )
      if (scores.some(([, score]) => !Number.isFinite(score))) {
        throw new ModelError(`local/${name}`, 'broken', { detail: 'the ranking is not valid' })
      }
      return { ranked: byScore(scores), usage: undefined }
    },
  }
}
