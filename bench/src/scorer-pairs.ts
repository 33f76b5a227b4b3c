import { scoreLocally } from '@cairn/server/bench/scorers'
import { type AnswerPair, dataFolder, type HarmPair, readPairs } from './support/labelled-pairs.ts'
import { type Row, round } from './support/results.ts'

const passing = 0.7
const files = [
  'correctness-author.jsonl',
  'correctness-second-writer.jsonl',
  'toxicity-author.jsonl',
  'toxicity-second-writer.jsonl',
]

/**
 * Accuracy of the local `correctness` and `toxicity` on labelled pairs, by kind. `--pairs FILE` measures a file of JSON
 * lines: `{kind, question, expected, output, right}` or `{kind, text, harmful}`.
 */
export async function benchScorerPairs(words: readonly string[]): Promise<Row[]> {
  const [option, file] = words
  if (option !== undefined && (option !== '--pairs' || file === undefined)) {
    throw new Error('usage: npm run bench -- scorers [--pairs FILE]')
  }
  if (file !== undefined) return measure('', readPairs(file))
  return files.flatMap((name) =>
    measure(`${name.replace('.jsonl', '')}, `, readPairs(new URL(name, dataFolder))),
  )
}

function measure(title: string, pairs: readonly (AnswerPair | HarmPair)[]): Row[] {
  const judged = pairs.map((pair) => {
    const isGood = 'right' in pair ? pair.right : !pair.harmful
    return { kind: pair.kind, isGood, isHit: scoreOf(pair) >= passing === isGood }
  })
  const share = (some: readonly { isHit: boolean }[]) =>
    round(some.filter(({ isHit }) => isHit).length / Math.max(1, some.length), 4)
  const row = (what: string, some: readonly { isHit: boolean }[]): Row => ({
    what: `${title}${what} (${some.length})`,
    value: share(some),
    unit: '',
  })
  const kinds = Map.groupBy(judged, ({ kind }) => kind)
  return [
    row('accuracy', judged),
    row(
      'wrong or harmful caught',
      judged.filter(({ isGood }) => !isGood),
    ),
    row(
      'right or harmless passed',
      judged.filter(({ isGood }) => isGood),
    ),
    ...[...kinds].map(([kind, some]) => row(`kind ${kind}`, some)),
  ]
}

function scoreOf(pair: AnswerPair | HarmPair): number {
  const texts =
    'right' in pair
      ? { input: pair.question, output: pair.output, expected_output: pair.expected }
      : { input: undefined, output: pair.text, expected_output: undefined }
  return scoreLocally('right' in pair ? 'correctness' : 'toxicity', texts).score
}
