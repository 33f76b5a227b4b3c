import { createRequire } from 'node:module'
import type { ItemSentence, ItemToken, ItsFunction, WinkMethods } from 'wink-nlp'

/** A word or punctuation mark with its part of speech (Universal POS tags). */
export interface Token {
  /** Lower case. */
  text: string
  lemma: string
  tag: string
}

let wink: WinkMethods | undefined

/** Loaded on first use, because the model takes 40 MB of memory. */
function load(): WinkMethods {
  const require = createRequire(import.meta.url)
  return require('wink-nlp')(require('wink-eng-lite-web-model'), ['sbd', 'pos'])
}

/** Maximum characters that are parsed; longer texts are compared by their words only. */
const longest = 5_000

/** The sentences of an English text as tokens. */
export function sentencesOf(text: string): Token[][] {
  wink ??= load()
  const { its } = wink
  const sentences: Token[][] = []
  wink
    .readDoc(text.slice(0, longest))
    .sentences()
    .each((sentence: ItemSentence) => {
      const tokens: Token[] = []
      sentence.tokens().each((token: ItemToken) => {
        tokens.push({
          text: String(token.out(its.normal)),
          lemma: String(token.out(its.lemma as ItsFunction<string>)),
          tag: String(token.out(its.pos)),
        })
      })
      sentences.push(tokens)
    })
  return sentences
}
