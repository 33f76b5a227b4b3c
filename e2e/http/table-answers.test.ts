import { expect, it } from 'vitest'
import { ask, upload } from '../support/answers.ts'
import { createTenant } from '../support/api.ts'
import { sharedServer } from '../support/databases.ts'

/** Tables of four file types; each answer names the row, the column and the unit. */
const cases = [
  {
    name: 'sales.md',
    text: '# Sales\n\nNet sales by region (in millions)\n\n| Region | 2018 | 2017 |\n|---|---:|---:|\n| Americas | $12,840 | $12,372 |\n| Europe | 6,654 | 6,456 |\n',
    question: 'What were net sales in the Americas in 2017?',
    answer: 'Americas, 2017: $12,372 million',
  },
  {
    name: 'plans.html',
    text: '<h1>Plans</h1><table><tr><th>Plan</th><th>Monthly fee</th><th>Parcels</th></tr><tr><td>Starter</td><td>29 €</td><td>100</td></tr><tr><td>Pro</td><td>99 €</td><td>1,000</td></tr></table>',
    question: 'What is the monthly fee of the plan Pro?',
    answer: 'Monthly fee, Pro: 99 €',
  },
  {
    name: 'bridges.txt',
    text: 'Bridges of the county\n\nTraffic (in thousands)\nBridge          2020    2021\nMill Bridge     12      14\nOak Bridge      31      33\n',
    question: 'What was the traffic of Oak Bridge in 2021?',
    answer: 'Oak Bridge, 2021: 33 thousand',
  },
  {
    name: 'stations.csv',
    text: 'station,platforms,elevation\nOlten,12,396\nChur,9,584\nVisp,8,650\n',
    question: 'What is the elevation of the station Chur?',
    answer: 'Chur: platforms 9; elevation 584',
  },
]

it('answers from tables name the row, the column and the unit', async () => {
  const tenant = await createTenant(sharedServer('SQLite').url)
  for (const { name, text } of cases) await upload(tenant, name, text)
  for (const { question, answer } of cases) {
    const { body } = await ask(tenant, question)
    expect(body.answer, question).toContain(answer)
    for (const { snippet, chunk_id } of body.citations) {
      const entry = body.context.find((each: { chunk_id: string }) => each.chunk_id === chunk_id)
      expect(entry.chunk_text).toContain(snippet)
    }
  }
})
