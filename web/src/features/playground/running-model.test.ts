import { expect, it } from 'vitest'
import { runningModel } from './running-model.ts'

it('names the model that answers, not one without a provider', () => {
  const models = [
    { name: 'gpt-4o', configured: true, runs: 'gpt-4o' },
    { name: 'claude', configured: false, runs: 'gpt-4o' },
    { name: 'cairn-extractive', configured: false, runs: 'cairn-extractive' },
  ]
  expect(runningModel('gpt-4o', models)).toBe('gpt-4o (settings)')
  expect(runningModel('claude', models)).toBe('gpt-4o (no provider for claude)')
  expect(runningModel('cairn-extractive', models)).toBe('cairn-extractive (settings)')
  expect(runningModel('unknown', models)).toBe('unknown (settings)')
  expect(runningModel('gpt-4o', undefined)).toBe('gpt-4o (settings)')
})
