import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { bodyContains } from '../../src/db/index.ts'
import { toNewTrace } from '../../src/domains/traces/facts.ts'
import { createTraceStore } from '../../src/domains/traces/store.ts'
import { foldCase } from '../../src/lib/body-search.ts'
import { describeEachDatabase } from '../databases.ts'
import { addProject, newRecord } from '../rows.ts'

const piece = fc.constantFrom(
  ...'aBß Üü ΣςσİıIK🦉é\u0301\\"n/u\n\t{}:,%_'.split(''),
  '\u212a',
  '\0',
  '\ud800',
  '\udc00',
  '\ufffd',
  '\\u0000',
  '\\ud800',
  '","output":"',
  '","model":',
  '"input":"',
)
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
/** A query string contains neither NUL nor single surrogates, which databases cannot store. */
const needle = fc
  .array(piece, { minLength: 1, maxLength: 3 })
  .map((pieces) => pieces.join('').replaceAll('\0', '').replaceAll('\ufffd', '').toWellFormed())
  .filter((each) => each !== '' && !each.includes('\ufffd'))

describeEachDatabase('the search in bodies', (database) => {
  it('finds the same traces as a search in the texts themselves', async () => {
    const { db } = database
    const projectId = await addProject(db)
    const finds = async (traceId: string, q: string) => {
      const row = await db.read
        .selectFrom('trace_bodies')
        .select(({ ref }) =>
          sql<number>`case when ${bodyContains(db.dialect, ref('body'), foldCase(q))} then 1 else 0 end`.as(
            'found',
          ),
        )
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
        .executeTakeFirstOrThrow()
      return row.found === 1
    }
    const trace = fc.record({ input: text, output: text, metadata: fc.record({ note: text }) })
    await fc.assert(
      fc.asyncProperty(trace, fc.array(needle, { minLength: 6, maxLength: 6 }), async (values, needles) => {
        const stored = toNewTrace(projectId, newRecord(values), () => null)
        await createTraceStore(db).insert([stored])
        const own = [values.input, values.output]
          .map((each) => each.slice(1, 4))
          .filter((each) => {
            return each !== '' && each.isWellFormed() && !/[\0\ufffd]/.test(each)
          })
        for (const q of [...needles, ...own]) {
          const naive = [values.input, values.output].some((each) => foldCase(each).includes(foldCase(q)))
          expect(await finds(stored.traceId, q), JSON.stringify({ ...values, q })).toBe(naive)
        }
      }),
      { numRuns: 150 },
    )
  })
})
