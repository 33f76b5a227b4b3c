import {
  CairnError,
  type CreateScorer,
  type Deleted,
  limits,
  type ReplaceScorer,
  type Scorer,
} from '@cairn/contract'
import { storable, storableOrNull } from '../../lib/storable.ts'
import { toIso } from '../../lib/time.ts'
import type { Models } from '../../models/models.ts'
import { gradedSlugs, localJudges } from './local/index.ts'
import { isUsable } from './prompt.ts'
import type { ScorerRow, ScorerStore } from './store.ts'

const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** `…/scorers/runs` and `…/scorers/rules` are no scorers. */
const reserved: ReadonlySet<string> = new Set(['runs', 'rules'])

/** The built-in scorers, and those that a project made for itself. */
export class ScorerService {
  readonly #store: ScorerStore
  readonly #models: Models

  constructor(store: ScorerStore, models: Models) {
    this.#store = store
    this.#models = models
  }

  async create(projectId: string, request: CreateScorer): Promise<Scorer> {
    const { slug } = request
    if (!slugForm.test(slug)) {
      throw new CairnError(
        'invalid_request',
        'slug must be lower-case letters, digits and single hyphens between them',
      )
    }
    refuseBuiltIn(slug)
    if (reserved.has(slug))
      throw new CairnError('conflict', `slug ${slug} has a meaning in addresses; take another`)
    const row = this.#toRow(projectId, slug, request)
    if ((await this.#store.list(projectId)).length >= limits.scorersPerProject) {
      throw new CairnError(
        'invalid_request',
        `a project has at most ${limits.scorersPerProject} scorers; delete one first`,
      )
    }
    const outcome = await this.#store.insert(row)
    if (outcome === 'taken') {
      throw new CairnError('conflict', `slug ${slug} is taken in this project already`)
    }
    if (outcome === 'no_project') throw new CairnError('not_found', 'project not found')
    return toScorer(row)
  }

  /** The built-in ones first, then those of the project by slug. */
  async list(projectId: string): Promise<Scorer[]> {
    const own = await this.#store.list(projectId)
    return [...[...localJudges.keys()].map((slug) => this.#builtIn(slug)), ...own.map(toScorer)]
  }

  async get(projectId: string, slug: string): Promise<Scorer> {
    if (localJudges.has(slug)) return this.#builtIn(slug)
    const row = await this.#store.find(projectId, slug)
    if (!row) throw new CairnError('not_found', 'scorer not found')
    return toScorer(row)
  }

  async replace(projectId: string, slug: string, request: ReplaceScorer): Promise<Scorer> {
    refuseBuiltIn(slug)
    if (!(await this.#store.replace(this.#toRow(projectId, slug, request)))) {
      throw new CairnError('not_found', 'scorer not found')
    }
    return this.get(projectId, slug)
  }

  /** Scores that it gave stay. */
  async delete(projectId: string, slug: string): Promise<Deleted> {
    refuseBuiltIn(slug)
    if (!(await this.#store.delete(projectId, slug))) throw new CairnError('not_found', 'scorer not found')
    return { success: true, message: 'scorer deleted' }
  }

  #builtIn(slug: string): Scorer {
    const isGraded = gradedSlugs.has(slug) && this.#models.hasChat
    return {
      slug,
      description: localJudges.get(slug)?.description ?? null,
      built_in: true,
      method: isGraded ? 'model' : 'local',
      prompt: null,
      choices: null,
      model: isGraded ? (this.#models.chat('')?.name ?? null) : null,
      created_at: null,
      updated_at: null,
    }
  }

  #toRow(projectId: string, slug: string, request: ReplaceScorer): ScorerRow {
    const { prompt, choices, model } = request
    const problem = isUsable(prompt)
      ? problemOf(choices)
      : 'prompt must hold {{output}}, else nothing of it is judged'
    if (problem) throw new CairnError('invalid_request', problem)
    if (model != null && !this.#models.isKnown(model)) {
      throw new CairnError('invalid_request', 'model is none that this server knows')
    }
    const now = Date.now()
    return {
      project_id: projectId,
      slug,
      description: storableOrNull(request.description),
      prompt: storable(prompt),
      choices: storable(JSON.stringify(choices)),
      model: storableOrNull(model),
      created_at: now,
      updated_at: now,
    }
  }
}

export function choicesOf({ choices }: ScorerRow): Record<string, number> {
  return JSON.parse(choices) as Record<string, number>
}

function toScorer(row: ScorerRow): Scorer {
  const { slug, description, prompt, model, created_at, updated_at } = row
  return {
    slug,
    description,
    built_in: false,
    method: 'model',
    prompt,
    choices: choicesOf(row),
    model,
    created_at: toIso(created_at),
    updated_at: toIso(updated_at),
  }
}

function refuseBuiltIn(slug: string): void {
  if (localJudges.has(slug))
    throw new CairnError('conflict', `slug ${slug} is a built-in scorer, which cannot be changed`)
}

function problemOf(choices: Record<string, number>): string | undefined {
  const names = Object.keys(choices)
  if (names.length < 2 || names.length > limits.scorerChoices) {
    return `choices must have 2 to ${limits.scorerChoices} entries`
  }
  const isBad = (name: string) => name.trim() === '' || name.length > 100
  return names.some(isBad) ? 'choices must have names of 1 to 100 characters' : undefined
}
