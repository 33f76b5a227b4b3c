import { readFileSync } from 'node:fs'

/** An answer with a person's verdict. */
export interface AnswerPair {
  kind: string
  question: string
  expected: string
  output: string
  right: boolean
}

/** A text with a person's verdict. */
export interface HarmPair {
  kind: string
  text: string
  harmful: boolean
}

export const dataFolder = new URL('../../data/judges/', import.meta.url)

/** The pairs of a file of JSON lines. */
export function readPairs(file: URL | string): (AnswerPair | HarmPair)[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as AnswerPair | HarmPair)
}

export function readAnswers(name: string): AnswerPair[] {
  return readPairs(new URL(name, dataFolder)).filter((pair) => 'right' in pair)
}
