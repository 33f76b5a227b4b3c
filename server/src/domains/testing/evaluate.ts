import {
  type Assertion,
  type AssertionResult,
  CairnError,
  type Judgement,
  type JudgeResult,
} from '@cairn/contract'
import { foldCase } from '../../lib/body-search.ts'
import { similarityOf } from './assertions.ts'
import { CheckLimitError, type CheckPool } from './pool.ts'

/** The result of a target for a case. */
export interface Outcome {
  query: string
  expectedAnswer: string
  output: string
  latencyMs: number
  /** Cost in USD; null if unknown. */
  cost: number | null
}

/** Scores an output by a scorer. Throws CairnError if the scorer cannot score it. */
export type ScoreOutput = (
  scorer: string,
  outcome: Outcome,
) => Promise<Pick<JudgeResult, 'score' | 'reasoning' | 'method'>>
/** The similarity of two texts, 0 to 1. Throws CairnError. */
type Compare = (a: string, b: string) => Promise<number>

export interface Evaluators {
  projectId: string
  checks: Pick<CheckPool, 'matches' | 'mismatch'>
  scoreOutput: ScoreOutput
  compare: Compare
}

type Finding = Pick<AssertionResult, 'passed' | 'score' | 'reasoning' | 'method' | 'message'>

/** A case without assertions passes with at least this score. */
const passingScore = 0.7
const defaultScorer = 'correctness'

function found(passed: boolean, message: string): Finding {
  return passed ? { passed } : { passed, message }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The first difference between two texts, for the message of `equals`. */
function differenceOf(output: string, wanted: string): string {
  if (output.trim() === wanted.trim()) return 'the output differs in white space at its start or end'
  let same = 0
  while (same < output.length && output[same] === wanted[same]) same++
  return `the output differs from character ${same + 1} on`
}

async function findSimilar(value: unknown, outcome: Outcome, compare: Compare): Promise<Finding> {
  const { text = outcome.expectedAnswer, threshold } = similarityOf(value) ?? { threshold: 1 }
  const score = await compare(text, outcome.output)
  return { ...found(score >= threshold, `the similarity is ${score}, below ${threshold}`), score }
}

async function findScore(
  { value, scorer }: Assertion,
  outcome: Outcome,
  scoreOutput: ScoreOutput,
): Promise<Finding> {
  const slug = scorer ?? defaultScorer
  const { score, reasoning, method } = await scoreOutput(slug, outcome)
  const message = `${slug} gives ${score}, below ${String(value)}`
  return { ...found(score >= (value as number), message), score, reasoning, method }
}

async function find(assertion: Assertion, outcome: Outcome, evaluators: Evaluators): Promise<Finding> {
  const { type, value } = assertion
  const { output, latencyMs, cost } = outcome
  const { projectId, checks, scoreOutput, compare } = evaluators
  switch (type) {
    case 'contains':
      return found(output.includes(value as string), 'the output does not contain the value')
    case 'not_contains':
      return found(!output.includes(value as string), 'the output contains the value')
    case 'icontains':
      return found(
        foldCase(output).includes(foldCase(value as string)),
        'the output does not contain the value, in upper or lower case',
      )
    case 'starts_with':
      return found(output.startsWith(value as string), 'the output does not start with the value')
    case 'equals':
      return output === value ? { passed: true } : found(false, differenceOf(output, value as string))
    case 'max_latency_ms':
      return found(latencyMs <= (value as number), `the answer took ${latencyMs} ms`)
    case 'max_cost':
      if (cost === null) return found(false, 'the cost of the call is unknown')
      return found(cost <= (value as number), `the call cost ${cost} USD`)
    case 'json_valid':
      return found(isJson(output) === value, value ? 'the output is not JSON' : 'the output is JSON')
    case 'json_schema': {
      const problem = await checks.mismatch(projectId, value as object, output)
      return found(problem === undefined, problem ?? '')
    }
    case 'regex':
      return found(await checks.matches(projectId, value as string, output), 'the output does not match')
    case 'min_score':
      return findScore(assertion, outcome, scoreOutput)
    case 'similar':
      return findSimilar(value, outcome, compare)
  }
}

/** Evaluates an assertion. If it cannot be evaluated, it counts as failed, and the message contains the reason. */
export async function evaluate(
  assertion: Assertion,
  outcome: Outcome,
  evaluators: Evaluators,
): Promise<AssertionResult> {
  try {
    return { ...assertion, ...(await find(assertion, outcome, evaluators)) }
  } catch (error) {
    if (error instanceof CheckLimitError) {
      return { ...assertion, passed: false, message: `it could not be checked: ${error.message}` }
    }
    if (error instanceof CairnError) {
      return { ...assertion, passed: false, message: `it could not be scored: ${error.message}` }
    }
    throw error
  }
}

/** Scores an answer by `correctness`, which decides a case without assertions. */
export async function scoreAnswer(outcome: Outcome, scoreOutput: ScoreOutput): Promise<Judgement> {
  const common = { scorer: defaultScorer, threshold: passingScore }
  try {
    return { ...common, ...(await scoreOutput(defaultScorer, outcome)) }
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    return { ...common, score: null, reasoning: `it could not be scored: ${error.message}` }
  }
}
