import { type Static, Type } from 'typebox'
import { absent, body, idOf, Name, Timestamp } from './common.ts'
import { limits } from './limits.ts'

const Amount = Type.Number({ minimum: 0, maximum: limits.largestAmount })

export const Multiplier = Type.Object({
  model: Type.String({ description: 'normalised name: lower case, without the prefix of a provider' }),
  multiplier: Type.Number({ description: 'credits for 1,000 tokens' }),
  built_in: Type.Union([Type.Number(), Type.Null()], { description: 'the multiplier after a deletion' }),
  updated_at: Type.Union([Timestamp, Type.Null()], {
    description: 'null if the built-in multiplier is used',
  }),
})
export type Multiplier = Static<typeof Multiplier>

export const SetMultiplier = body({
  model: Name,
  multiplier: Type.Number({ minimum: 0, maximum: limits.largestMultiplier }),
})
export type SetMultiplier = Static<typeof SetMultiplier>

export const MultiplierParams = Type.Object({ model: Type.String() })

export const budgetScopes = ['project', 'chat', 'app', 'user'] as const
export type BudgetScope = (typeof budgetScopes)[number]
export const budgetPeriods = ['day', 'month', 'total'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]
export const budgetUnits = ['credits', 'usd'] as const
export type BudgetUnit = (typeof budgetUnits)[number]

const Scope = Type.Enum(budgetScopes)
const Period = Type.Enum(budgetPeriods, { description: 'days and months are in UTC' })
const Unit = Type.Enum(budgetUnits)

export const CreateBudget = body({
  project_id: idOf('project that the budget belongs to'),
  scope: Scope,
  scope_id: absent(idOf('id of the chat, application or user; leave it out for a budget of the project')),
  period: Period,
  unit: absent(Unit),
  limit: Amount,
})
export type CreateBudget = Static<typeof CreateBudget>

export const UpdateBudget = body({ period: absent(Period), unit: absent(Unit), limit: absent(Amount) })
export type UpdateBudget = Static<typeof UpdateBudget>

export const Budget = Type.Object({
  budget_id: Type.String(),
  project_id: Type.String(),
  scope: Scope,
  scope_id: Type.String(),
  period: Period,
  unit: Unit,
  limit: Type.Number(),
  spent: Type.Number({ description: 'amount spent in this period' }),
  reserved: Type.Number({ description: 'amount reserved for answers in progress' }),
  remaining: Type.Number(),
  period_start: Type.Union([Timestamp, Type.Null()], { description: 'null: no start' }),
  period_end: Type.Union([Timestamp, Type.Null()], { description: 'exclusive; null: no end' }),
  created_at: Timestamp,
})
export type Budget = Static<typeof Budget>

export const BudgetParams = Type.Object({ budget_id: Type.String() })
export const ListBudgetsQuery = Type.Object({
  project_id: Type.Optional(Type.String()),
  scope: Type.Optional(Scope),
})
export type ListBudgetsQuery = Static<typeof ListBudgetsQuery>
