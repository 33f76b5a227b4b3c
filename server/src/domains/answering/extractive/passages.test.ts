import { describe, expect, test } from 'vitest'
import { passagesOf } from './passages.ts'

const texts = (chunk: string, headings: string[] = []) =>
  passagesOf(chunk, { headings }).map(({ text }) => text)

/** As PDFs of annual reports come out: groups of columns, the unit beside the heads, currency signs in cells of their own. */
const geographic = `NOTE 19. Geographic Areas

Net Sales  Equipment - net
(Millions)  2018  2017  2016  2018  2017
United States  $  12,840  $  12,372  $  12,188  $  4,915  $  4,891
Other Unallocated  (7)  (13)  10  —  —`

describe('a table with known column heads', () => {
  test.each([
    ['the group and the year of a column', geographic, 'Net Sales 2018, United States: $12,840 million'],
    ['another group with the same years', geographic, 'Equipment - net 2017, United States: $4,891 million'],
    ['a negative number in brackets', geographic, 'Net Sales 2017, Other Unallocated: (13) million'],
    [
      'a row group, dot leaders and a unit in the title',
      'Revenue by segment (in thousands)\nSegment  2020  2019\nAmericas:\nRetail ........ $ 1,234  $ 1,100\nTotal  1,634  800',
      'Americas, Retail, 2019: $1,100 thousand',
    ],
    [
      'a sum, which is not in the group above it',
      'Revenue by segment (in thousands)\nSegment  2020  2019\nAmericas:\nRetail  1,234  1,100\nTotal  1,634  800',
      'Total, 2020: 1,634 thousand',
    ],
    [
      'a period above the years',
      'Year Ended December 31,\n2017  2016\nNet sales  $  177,866  $  135,987',
      'Net sales, Year Ended December 31, 2017: $177,866',
    ],
    [
      'a share, which has no unit',
      '(in millions)\nQ4 FY23  Q4 FY22\nComparable sales % change  (9.3) %  (2.3) %\nGross profit  3  4',
      'Comparable sales % change, Q4 FY23: (9.3)%',
    ],
    [
      'an empty cell of a Markdown table',
      '| Region | 2018 | 2017 |\n|---|---:|---:|\n| Europe | | 6,654 |\n| Asia | 7 | 8 |',
      'Europe, 2017: 6,654',
    ],
    [
      'a row of an HTML table',
      'Plan | Price | Parcels\nStarter | 29 € | 100\nPro | 99 € | 1,000',
      'Price, Starter: 29 €',
    ],
    [
      'a CSV record, which several cells name',
      'model,colour,type,frame_size_cm,weight_kg,battery_wh,range_km,price_2024,price_2025,delivery_weeks,warranty_years\n' +
        'Heron Trail E,green,Trail,48,23.9,625,110,3899,3999,3,2\nHeron Trail E,grey,Trail,52,24.1,625,110,4349,4449,3,2',
      'price_2025, Heron Trail E, grey, Trail: 4449',
    ],
    ['a German unit', 'Umsatz (in Mio. €)\nRegion  2018  2019\nNord  12,5  13,1', 'Nord, 2019: 13,1 Mio. €'],
    [
      'a French unit',
      'Ventes (en millions d’euros)\nRégion  2018  2019\nNord  12,5  13,1',
      'Nord, 2018: 12,5 millions d’euros',
    ],
  ])('has a passage for each cell: %s', (_, chunk, cell) => {
    expect(texts(chunk)).toContain(cell)
  })

  test('cites the verbatim row', () => {
    for (const { snippet } of passagesOf(geographic)) expect(geographic).toContain(snippet)
  })

  test.each([
    [
      'fewer heads than values',
      'Quarters Ended March 31,  2023  2022  Inc/ (Dec)\nSales  $ 2,224.3  $ 2,302.4  $ (78.1)  (3)%',
    ],
    ['a row with an empty cell that nothing marks', '2023  2022  2021\nTax settlement  500.0  600.0'],
    ['no heads', 'Land  6,696  6,417\nBuildings  17,982  17,136'],
  ])('has no cells that could be of another column: %s', (_, chunk) => {
    expect(texts(chunk).filter((text) => /: \(?\$?[\d.,]+\)?%?$/.test(text))).toEqual([])
  })

  test('may begin in an earlier chunk, whose heads are in the headings', () => {
    const rows = 'Asia Pacific  10,254  9,809\nEurope  6,654  6,456'
    expect(texts(rows, ['Sales', '(in millions) | 2018 | 2017'])).toContain(
      'Asia Pacific, 2018: 10,254 million',
    )
    const records = 'Tern Coast,Blue,749\nTern Coast,Red,789'
    expect(texts(records, ['Model, Colour, Price 2024 (EUR)'])).toContain(
      'Tern Coast: Colour Red; Price 2024 (EUR) 789',
    )
  })
})

describe('a reason beside its fact', () => {
  const of = (chunk: string) => passagesOf(chunk, { withReasons: true }).map(({ text }) => text)

  test.each([
    'The pump stopped at nine. This is because a fuse failed.',
    'A fuse failed. Therefore the pump stopped at nine.',
    'A fuse failed at nine. As a result, the pump stopped.',
    'Die Pumpe stand still. Das lag daran, dass eine Sicherung ausfiel.',
    'Eine Sicherung fiel aus. Deshalb stand die Pumpe still.',
    'La pompe s’est arrêtée. C’est parce qu’un fusible a sauté.',
    'La bomba se paró. Esto se debe a un fusible.',
  ])('makes one passage with it: %s', (chunk) => {
    expect(of(`Before it, all was well. ${chunk}`)).toContain(chunk)
    const { snippet } = passagesOf(chunk, { withReasons: true }).at(-1) ?? {}
    expect(chunk).toBe(snippet)
  })

  test('makes none in another paragraph, without a sign of a reason, or if the question does not ask why', () => {
    expect(of('The pump stopped.\n\nTherefore we left.')).not.toContain(
      'The pump stopped. Therefore we left.',
    )
    expect(of('The pump stopped. We left.')).toEqual(['The pump stopped.', 'We left.'])
    expect(texts('A fuse failed. Therefore the pump stopped.')).toHaveLength(2)
  })
})
