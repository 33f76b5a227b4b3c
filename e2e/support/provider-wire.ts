/** How providers write what a scripted answer says; the shapes follow their public API references. */

/** A vector of 8 numbers that follows from the words of a text: texts that share words are alike. */
export function embeddingOf(text: string, dimensions = 8): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.01)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 7
    for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003
    vector[hash % dimensions] = (vector[hash % dimensions] ?? 0) + 1
  }
  return vector
}

function vectorsOf(texts: readonly string[], dimensions: number | undefined): number[][] {
  return texts.map((text) => embeddingOf(text, dimensions))
}

export function openaiEmbeddings(body: { input: string[]; model: string; dimensions?: number }): object {
  const vectors = vectorsOf(body.input, body.dimensions)
  return {
    object: 'list',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model: body.model,
    usage: { prompt_tokens: body.input.length, total_tokens: body.input.length },
  }
}

type GoogleContent = { content: { parts: { text: string }[] }; outputDimensionality?: number }

const googleText = ({ content }: GoogleContent) => content.parts.map(({ text }) => text).join('')

export function googleEmbeddings(body: { requests: GoogleContent[] } | GoogleContent): object {
  if (!('requests' in body)) {
    return { embedding: { values: embeddingOf(googleText(body), body.outputDimensionality) } }
  }
  const embeddings = body.requests.map((request) => ({
    values: embeddingOf(googleText(request), request.outputDimensionality),
  }))
  return { embeddings }
}
