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
import { localScorers, modelSlugs } from './local/index.ts'
import { isUsable } from './prompt.ts'
import type { ScorerRow, ScorerStore } from './store.ts'

const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Slugs of routes: `…/scorers/runs` and `…/scorers/rules`. */
const reserved: ReadonlySet<string> = new Set(['runs', 'rules'])

/** The built-in scorers, and the scorers of a project. */
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
    rejectBuiltIn(slug)
    if (reserved.has(slug))
      throw new CairnError('conflict', `slug ${slug} is reserved for a route; choose another slug`)
    const row = this.#toRow(projectId, slug, request)
    if ((await this.#store.list(projectId)).length >= limits.scorersPerProject) {
      throw new CairnError(
        'invalid_request',
        `a project has at most ${limits.scorersPerProject} scorers; delete one first`,
      )
    }
    const outcome = await this.#store.insert(row)
    if (outcome === 'taken') {
      throw new CairnError('conflict', `slug ${slug} already exists in this project; choose another slug`)
    }
    if (outcome === 'no_project') throw new CairnError('not_found', 'project not found')
    return toScorer(row)
  }

  /** The built-in scorers, and then the scorers of the project, sorted by slug. */
  async list(projectId: string): Promise<Scorer[]> {
    const custom = await this.#store.list(projectId)
    return [...[...localScorers.keys()].map((slug) => this.#builtIn(slug)), ...custom.map(toScorer)]
  }

  async get(projectId: string, slug: string): Promise<Scorer> {
    if (localScorers.has(slug)) return this.#builtIn(slug)
    const row = await this.#store.find(projectId, slug)
    if (!row) throw new CairnError('not_found', 'scorer not found')
    return toScorer(row)
  }

  async replace(projectId: string, slug: string, request: ReplaceScorer): Promise<Scorer> {
    rejectBuiltIn(slug)
    if (!(await this.#store.replace(this.#toRow(projectId, slug, request)))) {
      throw new CairnError('not_found', 'scorer not found')
    }
    return this.get(projectId, slug)
  }

  /** Deletes a scorer of the project. Its scores stay. */
  async delete(projectId: string, slug: string): Promise<Deleted> {
    rejectBuiltIn(slug)
    if (!(await this.#store.delete(projectId, slug))) throw new CairnError('not_found', 'scorer not found')
    return { success: true, message: 'scorer deleted' }
  }

  #builtIn(slug: string): Scorer {
    const usesModel = modelSlugs.has(slug) && this.#models.hasChat
    return {
      slug,
      description: localScorers.get(slug)?.description ?? null,
      built_in: true,
      method: usesModel ? 'model' : 'local',
      prompt: null,
      choices: null,
      model: usesModel ? (this.#models.chat('')?.name ?? null) : null,
      created_at: null,
      updated_at: null,
    }
  }

  #toRow(projectId: string, slug: string, request: ReplaceScorer): ScorerRow {
    const { prompt, choices, model } = request
    const problem = isUsable(prompt)
      ? problemOf(choices)
      : 'prompt must contain {{output}}, the text to score'
    if (problem) throw new CairnError('invalid_request', problem)
    if (model != null && !this.#models.isKnown(model)) {
      throw new CairnError(
        'invalid_request',
        'model is unknown to this server; GET /v1/console/models lists the known models',
      )
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

function rejectBuiltIn(slug: string): void {
  if (localScorers.has(slug))
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
