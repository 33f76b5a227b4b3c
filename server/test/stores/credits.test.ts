import { beforeEach, expect, it } from 'vitest'
import { type BudgetRow, createBudgetStore } from '../../src/domains/credits/store-budgets.ts'
import { createReservationStore } from '../../src/domains/credits/store-reservations.ts'
import { createEventStore } from '../../src/domains/events/store.ts'
import type { Charge } from '../../src/domains/usage/charge.ts'
import { createUsageStore } from '../../src/domains/usage/store.ts'
import { newId } from '../../src/lib/ids.ts'
import { describeEachDatabase } from '../databases.ts'
import { addProject, addUser } from '../rows.ts'

const dayMs = 86_400_000
/** The last millisecond of a month. */
const monthEnd = Date.UTC(2026, 10, 1) - 1
const today = Math.floor(monthEnd / dayMs) * dayMs

describeEachDatabase('usage, budgets and reservations', (database) => {
  let projectId: string
  let number = 0

  beforeEach(async () => {
    projectId = await addProject(database.db)
  })

  const usage = () => createUsageStore(database.db)
  const reservations = () => createReservationStore(database.db)
  const budgets = () => createBudgetStore(database.db)

  function charge(values: Partial<Charge> = {}, payer: Partial<Charge['payer']> = {}): Charge {
    return {
      payer: { projectId, chatId: 'chat1', appId: null, userId: null, ...payer },
      purpose: 'answer',
      model: 'm',
      requestedMs: monthEnd,
      answers: 1,
      promptTokens: 7,
      completionTokens: 3,
      credits: 1,
      cost: 0.5,
      reservation: undefined,
      ...values,
    }
  }

  async function addBudget(values: Partial<BudgetRow> = {}): Promise<BudgetRow> {
    const row: BudgetRow = {
      budget_id: newId('bud_'),
      project_id: projectId,
      scope: 'project',
      scope_id: projectId,
      period: 'month',
      unit: 'credits',
      amount: 10,
      created_at: 1,
      ...values,
    }
    await budgets().insert(row)
    return row
  }

  async function reserve(budget: BudgetRow, amount: number, now = monthEnd, leaseMs = 1000) {
    const reservationId = `rsv_${number++}`
    const outcome = await reservations().reserve({
      reservationId,
      budgets: [{ budget, amount }],
      now,
      expiresAt: now + leaseMs,
    })
    return { reservationId, refusal: outcome === 'reserved' ? undefined : outcome }
  }

  const all = { fromDay: 0, toDay: 1e15 }

  it('sums charges by their purpose, and groups them by application and user', async () => {
    const user = await addUser(database.db)
    await reservations().charge([charge(), charge({ cost: null }), charge({ model: 'n' }), charge({}, user)])
    await reservations().charge([charge({}, user), charge({ answers: 0, credits: 9 })])
    const conditions = { ...all, projectId }
    expect(await usage().total(conditions)).toEqual({
      answers: 5,
      prompt_tokens: 35,
      completion_tokens: 15,
      credits: 5,
      cost: 2,
      unpriced: 1,
    })
    const rows = await usage().grouped(conditions, ['app', 'user'], 10)
    expect(rows).toMatchObject([
      { app_id: '', user_id: '', answers: 3 },
      { app_id: user.appId, user_id: user.userId, answers: 2, credits: 2 },
    ])
    expect(Object.keys(rows[0] ?? {})).not.toContain('chat_id')
    expect(await usage().grouped({ ...conditions, userId: user.userId }, ['day'], 10)).toMatchObject([
      { day: today, answers: 2 },
    ])
    expect(await usage().total({ ...all, projectId: await addProject(database.db) })).toMatchObject({
      answers: 0,
      credits: 0,
    })
  })

  it('counts earlier usage of the period for a budget of an application or user', async () => {
    const user = await addUser(database.db)
    await reservations().charge([
      charge({}, user),
      charge({ requestedMs: monthEnd - 40 * dayMs }, user),
      charge(),
    ])
    for (const [scope, scope_id] of [
      ['app', user.appId],
      ['user', user.userId],
    ] as const) {
      const budget = await addBudget({ scope, scope_id })
      expect(await budgets().stateOf(budget, monthEnd)).toEqual({ spent: 1, reserved: 0 })
      const total = await addBudget({ scope, scope_id, period: 'total', unit: 'usd' })
      expect(await budgets().stateOf(total, monthEnd)).toEqual({ spent: 1, reserved: 0 })
    }
  })

  it('never reserves more than one part beyond the limit in concurrent processes', async () => {
    const budget = await addBudget()
    const other = createReservationStore(await database.openAgain())
    const stores = [reservations(), other]
    const refusals = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        stores[index % 2]?.reserve({
          reservationId: `rsv_${number++}`,
          budgets: [{ budget, amount: 1.5 }],
          now: monthEnd,
          expiresAt: monthEnd + 1000,
        }),
      ),
    )
    expect(refusals.filter((refusal) => refusal === 'reserved')).toHaveLength(7)
    expect(refusals.find((refusal) => refusal !== 'reserved')).toMatchObject({
      isSpent: false,
      isFirst: false,
    })
    expect(await budgets().stateOf(budget, monthEnd)).toEqual({ spent: 0, reserved: 10.5 })
  })

  it('releases the reservation of a dead process after its lease', async () => {
    const budget = await addBudget({ amount: 1 })
    const { reservationId } = await reserve(budget, 1)
    expect((await reserve(budget, 1, monthEnd)).refusal).toMatchObject({ isSpent: false })
    await reservations().extend([reservationId], monthEnd + 5000)
    expect((await reserve(budget, 1, monthEnd - dayMs)).refusal).toBeDefined()
    const later = await addBudget({ amount: 1, period: 'total' })
    await reserve(later, 1, monthEnd, 1000)
    expect((await reserve(later, 1, monthEnd + 1000)).refusal).toBeDefined()
    expect((await reserve(later, 1, monthEnd + 1001)).refusal).toBeUndefined()
    expect(await budgets().stateOf(later, monthEnd + 1002)).toEqual({ spent: 0, reserved: 1 })
  })

  it('charges the period of the request, and starts the next period at zero', async () => {
    const budget = await addBudget({ amount: 1 })
    const periodStart = Date.UTC(2026, 9, 1)
    const { reservationId } = await reserve(budget, 1)
    const held = [{ budgetId: budget.budget_id, periodStart, unit: 'credits' as const }]
    const reservation = { reservationId, budgets: held }
    // One transaction with two charges; one of them used nothing.
    await reservations().charge([charge({ reservation }), charge({ answers: 0, credits: 5, reservation })])
    expect(await budgets().stateOf(budget, monthEnd)).toEqual({ spent: 1, reserved: 0 })
    expect((await reserve(budget, 1)).refusal).toMatchObject({ isSpent: true, isFirst: true })
    expect((await reserve(budget, 1)).refusal).toMatchObject({ isSpent: true, isFirst: false })
    expect(await budgets().stateOf(budget, monthEnd + 1)).toEqual({ spent: 0, reserved: 0 })
    expect((await reserve(budget, 1, monthEnd + 1)).refusal).toBeUndefined()
    const events = await createEventStore(database.db).list(projectId, {}, { limit: 9, after: undefined })
    expect(events).toMatchObject([{ type: 'budget_exceeded' }])
    expect(JSON.parse(events[0]?.data ?? '')).toMatchObject({ period_start: periodStart, spent: 1, limit: 1 })
  })

  it('charges no budget that was deleted meanwhile, and still records the usage', async () => {
    const budget = await addBudget()
    const { reservationId } = await reserve(budget, 1)
    await budgets().delete(budget.budget_id)
    const held = [{ budgetId: budget.budget_id, periodStart: 0, unit: 'credits' as const }]
    await reservations().charge([charge({ reservation: { reservationId, budgets: held } })])
    expect(await usage().total({ ...all, projectId })).toMatchObject({ answers: 1 })
  })

  it('treats a sum just below the limit, because of rounding, as the limit', async () => {
    const budget = await addBudget({ amount: 0.3 })
    const { reservationId } = await reserve(budget, 0.1)
    const held = [{ budgetId: budget.budget_id, periodStart: Date.UTC(2026, 9, 1), unit: 'credits' as const }]
    const reservation = { reservationId, budgets: held }
    for (const credits of [0.1, 0.1, 0.1 - 1e-17])
      await reservations().charge([charge({ credits, reservation })])
    expect((await reserve(budget, 0.1)).refusal).toMatchObject({ isSpent: true })
  })

  it('writes many concurrent charges without a deadlock', async () => {
    const rows = await Promise.all([addBudget({ amount: 1e9 }), addBudget({ amount: 1e9 })])
    const other = createReservationStore(await database.openAgain())
    const held = rows.map(({ budget_id }) => ({
      budgetId: budget_id,
      periodStart: Date.UTC(2026, 9, 1),
      unit: 'credits' as const,
    }))
    for (const row of rows) await reserve(row, 1)
    const mixed = (budgets: typeof held) =>
      ['a', 'b', 'c', 'd'].map((model) => charge({ model, reservation: { reservationId: 'none', budgets } }))
    const work = Array.from({ length: 30 }, (_, index) => {
      const charges = index % 2 === 0 ? mixed(held) : mixed(held.toReversed()).reverse()
      return (index % 3 === 0 ? reservations() : other).charge(charges)
    })
    await Promise.all(work)
    expect(await usage().total({ ...all, projectId })).toMatchObject({ answers: 120, credits: 120 })
    for (const row of rows) expect(await budgets().stateOf(row, monthEnd)).toMatchObject({ spent: 120 })
  })
})
