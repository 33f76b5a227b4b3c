import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readPromptfoo } from './promptfoo.ts'
import { assertionOfCell } from './promptfoo-tests.ts'

const root = mkdtempSync(join(tmpdir(), 'cairn-promptfoo-'))
const folder = join(root, 'config')
mkdirSync(folder)
afterAll(() => rmSync(root, { recursive: true, force: true }))

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

function readConfig(text: string, query?: string) {
  const { cases, ...rest } = readPromptfoo(write('promptfooconfig.yaml', text), text, query)
  return { cases: cases.map(({ value }) => value), places: cases.map(({ place }) => place), ...rest }
}

const support = `
# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json
description: Support bot
prompts:
  - 'You help customers of {{company}}. Answer: {{question}}'
  - file://other.txt
providers: [openai:gpt-5-mini, anthropic:messages:claude]
defaultTest:
  vars: { company: Acme }
  assert:
    - { type: latency, threshold: 4000 }
    - { type: cost, threshold: 0.01 }
tests:
  - description: refunds
    vars: { question: How long do refunds take?, days: 14 }
    metadata: { category: billing }
    assert:
      - { type: icontains, value: '{{days}} days' }
      - { type: not-contains, value: sorry }
      - { type: llm-rubric, value: is polite }
      - { type: javascript, value: output.length < 200 }
  - vars: { question: What is the address? }
    options: { prefix: 'Be brief. ' }
    assert:
      - type: is-json
        value: { type: object, required: [street] }
      - { type: starts-with, value: '{' }
      - { type: regex, value: '\\d{5}' }
      - { type: contains-any, value: ['a.b', Acme] }
      - { type: contains-all, value: [one, two] }
  - vars: { question: Who founded it? }
    assert:
      - { type: factuality, value: Ann founded Acme }
      - { type: similar, value: Ann, threshold: 0.6 }
      - { type: answer-relevance, threshold: 0.8 }
      - { type: assert-set, assert: [{ type: equals, value: Ann }, { type: contains, value: An }] }
      - { type: assert-set, threshold: 0.5, assert: [{ type: equals, value: Bob }] }
      - { type: contains-json }
scenarios: []
`

describe('a promptfoo config', () => {
  it('becomes cases: prompt, variables, defaults, and the assertions with the same meaning', () => {
    const { cases, bad, places } = readConfig(support)
    const defaults = [
      { type: 'max_latency_ms', value: 4000 },
      { type: 'max_cost', value: 0.01 },
    ]
    expect(bad).toEqual([])
    expect(places).toEqual(['test 1', 'test 2', 'test 3'])
    expect(cases).toEqual([
      {
        query: 'You help customers of Acme. Answer: How long do refunds take?',
        expected_answer: '',
        category: 'billing',
        assertions: [
          ...defaults,
          { type: 'icontains', value: '14 days' },
          { type: 'not_contains', value: 'sorry' },
        ],
      },
      {
        query: 'Be brief. You help customers of Acme. Answer: What is the address?',
        expected_answer: '',
        assertions: [
          ...defaults,
          { type: 'json_schema', value: { type: 'object', required: ['street'] } },
          { type: 'starts_with', value: '{' },
          { type: 'regex', value: '\\d{5}' },
          { type: 'regex', value: 'a\\.b|Acme' },
          { type: 'contains', value: 'one' },
          { type: 'contains', value: 'two' },
        ],
      },
      {
        query: 'You help customers of Acme. Answer: Who founded it?',
        expected_answer: 'Ann founded Acme',
        assertions: [
          ...defaults,
          { type: 'min_score', value: 0.7, scorer: 'correctness' },
          { type: 'similar', value: { text: 'Ann', threshold: 0.6 } },
          { type: 'min_score', value: 0.8, scorer: 'relevance' },
          { type: 'equals', value: 'Ann' },
          { type: 'contains', value: 'An' },
        ],
      },
    ])
  })

  it('reports everything that a case cannot express', () => {
    expect(readConfig(support).notes).toEqual([
      "providers are left out (2): the suite's target answers",
      'scenarios is left out',
      'only the first of 2 prompts is used',
      'descriptions are left out (1)',
      expect.stringMatching(/^test 1: llm-rubric is left out: .*create a scorer/),
      'test 1: javascript is left out: code is not executed',
      'test 3: assert-set is left out: no assertion type has the same meaning',
      'test 3: contains-json is left out: no assertion type has the same meaning',
    ])
  })

  it('rejects a test that would check nothing, with the reason', () => {
    const { cases, bad } = readConfig(`
prompts: ['{{q}}', ]
tests:
  - vars: { q: a }
  - { vars: { q: b }, assert: [{ type: python, value: 'True' }] }
  - { vars: { q: c, expected: yes it is } }
  - just a text.py
  - { path: 'file://gen.py:make', config: {} }
  - 7
`)
    expect(cases).toEqual([{ query: 'c', expected_answer: 'yes it is' }])
    expect(bad.map(({ place, error }) => `${place}: ${error}`)).toEqual([
      expect.stringMatching(/^tests just a text.py: .*code is not executed/),
      expect.stringMatching(/^tests file:\/\/gen.py:make: /),
      'test 6: it is not an object',
      expect.stringMatching(/^test 1: it has neither an assertion nor an expected answer/),
      'test 2: none of its assertions can be converted: python is left out: code is not executed',
    ])
  })

  it('reads tests from files next to it, each row of a CSV with its __expected columns', () => {
    write(
      'cases.csv',
      'q,n,__expected1,__expected2,__metadata:category,__metric\nsum,2,contains: {{n}},4,maths,m\n',
    )
    write('more.yaml', '- { vars: { q: [x, y] }, assert: [{ type: equals, value: "{{q}}" }] }')
    write('lines.jsonl', '{"vars": {"q": "z"}, "assert": [{"type": "is-json"}]}\nno json\n')
    const { cases, bad, notes, places } = readConfig(
      'prompts: "{{q}}?"\ntests: [file://cases.csv, more.yaml, file://lines.jsonl]',
    )
    expect(cases).toEqual([
      {
        query: 'sum?',
        expected_answer: '4',
        category: 'maths',
        assertions: [
          { type: 'contains', value: '2' },
          { type: 'equals', value: '4' },
        ],
      },
      { query: 'x?', expected_answer: 'x', assertions: [{ type: 'equals', value: 'x' }] },
      { query: 'y?', expected_answer: 'y', assertions: [{ type: 'equals', value: 'y' }] },
      { query: 'z?', expected_answer: '', assertions: [{ type: 'json_valid', value: true }] },
    ])
    expect(places).toEqual([
      'cases.csv line 2',
      'more.yaml test 1 (1 of 2)',
      'more.yaml test 1 (2 of 2)',
      'lines.jsonl line 1',
    ])
    expect(notes).toEqual(['cases.csv line 2: __metric is left out'])
    expect(bad).toMatchObject([
      { place: 'lines.jsonl line 2', error: expect.stringContaining('not valid JSON') },
    ])
  })

  it('reads nothing outside of its folder', () => {
    writeFileSync(join(root, 'secret.yaml'), '- { vars: { q: secret } }')
    symlinkSync(join(root, 'secret.yaml'), join(folder, 'link.yaml'))
    for (const path of [
      '../secret.yaml',
      `file://${root}/secret.yaml`,
      'link.yaml',
      'file://../secret.yaml',
    ]) {
      const { cases, bad } = readConfig(`prompts: "{{q}}"\ntests: ${path}`)
      expect(cases).toEqual([])
      expect(bad).toMatchObject([{ error: expect.stringContaining('not in the folder') }])
    }
    expect(() => readConfig('prompts: file://../secret.yaml.txt\ntests: []')).toThrow()
  })

  it('can take the query from a template, and uses the last message of a chat', () => {
    const tests =
      'tests: [{ vars: { q: hi, "n": { of: 3 } }, assert: [{ type: contains, value: "{{n.of}}" }] }]'
    expect(readConfig(tests, 'Say {{ q }} {{gone}}')).toMatchObject({
      cases: [{ query: 'Say hi ', assertions: [{ value: '3' }] }],
      notes: ['test 1: {{gone}} has no value and is left empty'],
    })
    write('chat.json', '[{"role": "system", "content": "s"}, {"role": "user", "content": "u {{q}}"}]')
    expect(readConfig(`prompts: file://chat.json\n${tests}`).cases).toMatchObject([{ query: 'u hi' }])
    expect(readConfig(`prompts: "{{ q | upper }}"\n${tests}`).bad).toMatchObject([
      { error: expect.stringContaining('not a plain variable') },
    ])
    expect(() => readConfig(`prompts: prompt.py\n${tests}`)).toThrow('--query')
  })

  it('reads the cells of __expected as the types that they name', () => {
    expect(assertionOfCell('similar(0.8): Hello')).toEqual({
      type: 'similar',
      value: 'Hello',
      threshold: 0.8,
    })
    expect(assertionOfCell('is-json')).toEqual({ type: 'is-json' })
    expect(assertionOfCell('latency(500)')).toEqual({ type: 'latency', threshold: 500 })
    expect(assertionOfCell('Note: it is')).toEqual({ type: 'equals', value: 'Note: it is' })
    expect(assertionOfCell('cost')).toEqual({ type: 'equals', value: 'cost' })
    expect(assertionOfCell('not-contains:x')).toEqual({ type: 'not-contains', value: 'x' })
  })
})
