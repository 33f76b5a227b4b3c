import { CairnError } from '@cairn/contract'
import { expect, it, vi } from 'vitest'
import { AccessService } from '../../src/domains/access/index.ts'
import { createAccessStore } from '../../src/domains/access/store.ts'
import { PriceService } from '../../src/domains/prices/service.ts'
import { createPriceStore, type PriceRow } from '../../src/domains/prices/store.ts'
import { newId } from '../../src/lib/ids.ts'
import { describeEachDatabase } from '../databases.ts'
import { addProject, deleteProject } from '../rows.ts'

function priceRow(projectId: string, values: Partial<PriceRow> = {}): PriceRow {
  return {
    project_id: projectId,
    price_id: newId('prc_'),
    model: 'gpt-4o',
    start_date: 1000,
    input: 1,
    output: 2,
    cache_read: null,
    cache_write: null,
    reasoning: null,
    audio_input: null,
    audio_output: null,
    created_at: 5,
    ...values,
  }
}

describeEachDatabase('the price store', (database) => {
  const store = () => createPriceStore(database.db)

  it('returns the stored prices of one project, latest start first', async () => {
    const [projectId, other] = [await addProject(database.db), await addProject(database.db)]
    const parts = { cache_read: 0, cache_write: 0.0000001, reasoning: 1e6, audio_input: 0.1, audio_output: 3 }
    const rows = [
      priceRow(projectId, { start_date: -62_167_219_200_000, model: "a 'ü' \ufffd" }),
      priceRow(projectId, { start_date: 253_402_300_799_999, input: 0.1, ...parts }),
      priceRow(projectId, { start_date: 1_700_000_000_000 }),
    ]
    for (const row of rows) expect(await store().upsert(row, 10)).toEqual(row)
    await store().upsert(priceRow(other), 10)
    expect(await store().list(projectId)).toEqual([rows[1], rows[2], rows[0]])
    expect(await store().list('proj_none')).toEqual([])
  })

  it('keeps the id and the time of a replaced price', async () => {
    const projectId = await addProject(database.db)
    const first = priceRow(projectId, { cache_read: 3 })
    await store().upsert(first, 1)
    const next = priceRow(projectId, { input: 7, reasoning: 8, created_at: 9 })
    const replaced = { ...next, price_id: first.price_id, created_at: first.created_at }
    expect(await store().upsert(next, 1)).toEqual(replaced)
    expect(await store().list(projectId)).toEqual([replaced])
  })

  it('writes no price above the maximum number', async () => {
    const projectId = await addProject(database.db)
    await store().upsert(priceRow(projectId, { model: 'a' }), 2)
    await store().upsert(priceRow(projectId, { model: 'b' }), 2)
    expect(await store().upsert(priceRow(projectId, { model: 'c' }), 2)).toBe('too_many')
    expect((await store().list(projectId)).map(({ model }) => model)).toEqual(['a', 'b'])
  })

  it('rejects a price without a project, and deletes only in its project', async () => {
    const [projectId, other] = [await addProject(database.db), await addProject(database.db)]
    expect(await store().upsert(priceRow('proj_none'), 10)).toBe('no_project')
    const row = priceRow(projectId)
    await store().upsert(row, 10)
    expect(await store().delete(other, row.price_id)).toBe(false)
    expect(await store().delete(projectId, row.price_id)).toBe(true)
    expect(await store().delete(projectId, row.price_id)).toBe(false)
  })

  it('deletes prices with their project', async () => {
    const projectId = await addProject(database.db)
    await store().upsert(priceRow(projectId), 10)
    await deleteProject(database.db, projectId)
    expect(await store().list(projectId)).toEqual([])
  })
})

describeEachDatabase('the price service', (database) => {
  const access = () => new AccessService(createAccessStore(database.db))
  const usage = { prompt_tokens: 1_000_000 }
  const march = Date.parse('2026-03-01')

  /** A service whose reads are counted, and wait while `gate` is closed. */
  function watched(gate: { open: Promise<void> } = { open: Promise.resolve() }) {
    const store = createPriceStore(database.db)
    const reads: string[] = []
    const list = async (projectId: string) => {
      reads.push(projectId)
      const rows = await store.list(projectId)
      await gate.open
      return rows
    }
    return { reads, service: new PriceService({ ...store, list }, access()) }
  }

  it('prices a call by the built-in table, and by an override from its start date on', async () => {
    const projectId = await addProject(database.db)
    const { service } = watched()
    const cost = (createdMs: number, model: string | null = 'gpt-4o-2024-08-06') =>
      service.costOf(projectId, { model, token_usage: usage, createdMs })
    expect(await cost(march)).toBe(2.5)
    await service.set(projectId, { model: 'gpt-4o', start_date: '2026-03-01', input: 9, output: 1 })
    expect(await cost(march - 1)).toBe(2.5)
    expect(await cost(march)).toBe(9)
    expect(await cost(march, null)).toBeNull()
    expect(await cost(march, 'nobody-knows')).toBeNull()
    expect(await service.costOf(projectId, { model: 'gpt-4o', token_usage: null, createdMs: 0 })).toBeNull()
    expect(await service.priceFor(projectId, 'gpt-4o', march)).toMatchObject({ input: 9, output: 1 })
    expect(await service.priceFor(projectId, 'nobody-knows', march)).toBeUndefined()
  })

  it('uses the plain price for a missing part, and zero for a part of zero', async () => {
    const projectId = await addProject(database.db)
    const { service } = watched()
    const call = { model: 'acme', token_usage: { ...usage, cache_read_tokens: 500_000 }, createdMs: march }
    const price = { model: 'acme', start_date: '2026-01-01', input: 4, output: 0 }
    await service.set(projectId, price)
    expect(await service.costOf(projectId, call)).toBe(4)
    await service.set(projectId, { ...price, cache_read: 0 })
    expect(await service.costOf(projectId, call)).toBe(2)
  })

  it('reads a project once for many calls, also without prices', async () => {
    const projectId = await addProject(database.db)
    const { service, reads } = watched()
    const call = { model: 'gpt-4o', token_usage: usage, createdMs: march }
    await Promise.all(Array.from({ length: 20 }, () => service.costOf(projectId, call)))
    for (let i = 0; i < 20; i++) await service.costOf(projectId, call)
    const price = await service.pricing(projectId)
    expect(price('gpt-4o', usage, march)).toBe(2.5)
    expect(reads).toEqual([projectId])
  })

  it('uses its own changes at once, also changes during a read', async () => {
    const projectId = await addProject(database.db)
    let open = () => {}
    const gate = { open: new Promise<void>((resolve) => (open = resolve)) }
    const { service } = watched(gate)
    const call = { model: 'gpt-4o', token_usage: usage, createdMs: march }
    const before = service.costOf(projectId, call)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const set = { model: 'gpt-4o', start_date: '2026-01-01', input: 9, output: 1 }
    const { price_id } = await service.set(projectId, set)
    const after = service.costOf(projectId, call)
    open()
    expect(await before).toBe(2.5)
    expect(await after).toBe(9)
    expect(await service.costOf(projectId, call)).toBe(9)
    await service.delete(projectId, price_id)
    expect(await service.costOf(projectId, call)).toBe(2.5)
  })

  it('notices changes by another process within seconds', async () => {
    const projectId = await addProject(database.db)
    const [here, there] = [watched().service, watched().service]
    const call = { model: 'gpt-4o', token_usage: usage, createdMs: march }
    expect(await here.costOf(projectId, call)).toBe(2.5)
    await there.set(projectId, { model: 'gpt-4o', start_date: '2026-01-01', input: 9, output: 1 })
    expect(await here.costOf(projectId, call)).toBe(2.5)
    const later = performance.now() + 5_100
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
    expect(await here.costOf(projectId, call)).toBe(9)
    clock.mockRestore()
  })

  it('reads again after a failed read', async () => {
    const projectId = await addProject(database.db)
    const store = createPriceStore(database.db)
    let fails = true
    const list = (id: string) => (fails ? Promise.reject(new Error('away')) : store.list(id))
    const service = new PriceService({ ...store, list }, access())
    await expect(service.pricing(projectId)).rejects.toThrow('away')
    fails = false
    expect((await service.pricing(projectId))('gpt-4o', usage, march)).toBe(2.5)
  })

  it('rejects an invalid price with the reason, and writes nothing', async () => {
    const projectId = await addProject(database.db)
    const { service } = watched()
    const price = { model: 'm', input: 1, output: 2 }
    const refusals = [
      [() => service.set(projectId, { ...price, start_date: 'tomorrow' }), 'start_date'],
      [() => service.set(projectId, { ...price, model: 'openai/' }), 'model'],
      [() => service.set('proj_none', price), 'project not found'],
      [() => service.delete(projectId, 'prc_none'), 'price not found'],
      [() => service.list('proj_none'), 'project not found'],
    ] as const
    for (const [call, message] of refusals) {
      await expect(call()).rejects.toThrow(CairnError)
      await expect(call()).rejects.toThrow(message)
    }
    expect(await service.list(projectId)).toEqual([])
  })
})
