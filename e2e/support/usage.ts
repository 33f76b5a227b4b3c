import type { Api, Tenant } from './api.ts'

export interface Sums {
  answers: number
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  credits: number
  cost: number
  unpriced: number
}

interface Counted {
  model: string
  token_usage: {
    prompt_tokens: number
    completion_tokens: number
    total_tokens: number
    credits: number
  } | null
  cost: number | null
  custom_attributes: Record<string, unknown>
}

/** Every answer of a chat of the project, read from its trace. */
export async function answersOf({ project, projectId }: Tenant): Promise<Counted[]> {
  const { text } = await project.ok('GET', `/v1/${projectId}/analytics/export?format=jsonl&tag=chat`)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Counted)
}

/** The expected usage, summed from the traces. */
export function sumsOf(answers: readonly Counted[]): Sums {
  const used = answers.filter(({ token_usage }) => token_usage !== null)
  const sum = (amountOf: (answer: Counted) => number) =>
    used.reduce((total, answer) => total + amountOf(answer), 0)
  return {
    answers: used.length,
    prompt_tokens: sum(({ token_usage }) => token_usage?.prompt_tokens ?? 0),
    completion_tokens: sum(({ token_usage }) => token_usage?.completion_tokens ?? 0),
    total_tokens: sum(({ token_usage }) => token_usage?.total_tokens ?? 0),
    credits: round(sum(({ token_usage }) => token_usage?.credits ?? 0)),
    cost: round(sum(({ cost }) => cost ?? 0)),
    unpriced: used.filter(({ cost }) => cost === null).length,
  }
}

const round = (amount: number) => Math.round(amount * 1e9) / 1e9

export async function budgetOf(admin: Api, budgetId: string) {
  return (await admin.ok('GET', `/v1/console/budgets/${budgetId}`)).body
}
