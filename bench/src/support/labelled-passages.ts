import { readdirSync, readFileSync } from 'node:fs'

interface LabelledPassage {
  text: string
  headingPath: string[]
}

export interface LabelledRelation {
  source: number
  target: number
  type: string
}

/**
 * A text in passages, with the relationships that a reader found. Pairs at most `reach` apart that are not listed are
 * unrelated.
 */
export interface LabelledText {
  name: string
  split: string
  passages: LabelledPassage[]
  relations: LabelledRelation[]
}

export const reach = 3

const folder = new URL('../../data/relationships/', import.meta.url)

/** The texts of `bench/data/relationships`. */
export function loadLabelledTexts(): LabelledText[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt'))
  return files.sort().map((name) => parse(name, readFileSync(new URL(name, folder), 'utf8')))
}

function parse(name: string, file: string): LabelledText {
  const [head = '', ...blocks] = file.split(/^---\n/m)
  const relations = [...head.matchAll(/^(\d+) ([A-Z]+) (\d+)$/gm)].map(([, source, type = '', target]) => ({
    source: Number(source),
    target: Number(target),
    type,
  }))
  const passages = blocks.map((block) => {
    const [, path = '', text = ''] = /^# ([^\n]*)\n([\s\S]*)$/.exec(block) ?? []
    return { headingPath: path.split(' > '), text: text.trim() }
  })
  return { name, split: /^split: (.*)$/m.exec(head)?.[1] ?? '', passages, relations }
}
