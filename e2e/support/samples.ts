import { seededRandom } from './random.ts'

/** Content that is computed from a number, so that stored and sent content can be compared. */

const words = 'river copper lantern orchard ledger harbour winter signal meadow engine paper velvet'.split(
  ' ',
)

function sentence(random: () => number): string {
  const length = 6 + Math.floor(random() * 10)
  const picked = Array.from({ length }, () => words[Math.floor(random() * words.length)])
  return `${picked.join(' ')}.`
}

/** A trace with values that are easily changed by mistake. `batch` is the number of its request. */
export function sampleTrace(number: number, batch: number | null = null) {
  const random = seededRandom(number)
  const startMs = 1_700_000_000_000 + number
  return {
    input: `question ${number}: ${sentence(random)} "quoted" \\ ü 漢字 🦉\n`,
    output: Array.from({ length: 1 + Math.floor(random() * 8) }, () => sentence(random)).join('\n'),
    model: `model-${number % 7}`,
    latency_ms: Math.round(random() * 1e6) / 1000,
    status: number % 5 === 0 ? 'error' : 'success',
    tags: ['kill-test', `t${number % 3}`],
    token_usage: { prompt_tokens: number, completion_tokens: 0, total_tokens: number },
    cost: random(),
    metadata: { z: 1, a: { nested: [0, false, null, ''] } },
    custom_attributes: { number, batch },
    spans: [
      { name: 'retrieve', start_ms: startMs, end_ms: startMs + 5, attributes: { number }, kind: 'retrieval' },
    ],
  }
}

const marker = (number: number, section: number) => `Mark ${number}-${section} of the ledger.`

function sectionsOf(number: number): number {
  return 4 + (number % 9)
}

/** A text of several chunks; each section contains a unique mark. */
export function sampleText(number: number): string {
  const random = seededRandom(number)
  const sections = Array.from({ length: sectionsOf(number) }, (_, index) => {
    const prose = Array.from({ length: 12 }, () => sentence(random)).join(' ')
    return `## Section ${index}\n\n${marker(number, index)} ${prose}\n`
  })
  return `# Document ${number}\n\n${sections.join('\n')}`
}

/** The sections of `sampleText` whose mark no chunk contains. */
export function missingSections(number: number, chunks: readonly string[]): number[] {
  const sections = Array.from({ length: sectionsOf(number) }, (_, index) => index)
  return sections.filter((section) => !chunks.some((chunk) => chunk.includes(marker(number, section))))
}
