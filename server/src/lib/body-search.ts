/** Folds case for searches: lower case, with one form of the Greek sigma. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

/**
 * The raw JSON of input and output in a stored trace. They are its second and third key. No JSON string can contain the
 * markers that follow them, because a quote in a string has a backslash.
 */
function rawTexts(json: string): string {
  const start = json.indexOf('"input":"')
  const end = json.indexOf('","model":', start)
  return json.slice(start, end === -1 ? undefined : end)
}

/**
 * Whether input or output of a stored trace contains a text, ignoring case; `needle` must be folded. The raw JSON is
 * searched first, because decoding costs ten times as much and most traces do not contain the text.
 */
export function bodyContains(body: Uint8Array, needle: string): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const latin = rawTexts(bytes.toString('latin1'))
  // In pure ASCII, folding the raw bytes equals folding the text.
  const isAscii = !/[\x80-\xff]/.test(latin)
  const raw = isAscii ? latin : rawTexts(bytes.toString('utf8'))
  if (!foldCase(raw).includes(JSON.stringify(needle).slice(1, -1))) return false
  const { input, output } = JSON.parse(bytes.toString('utf8')) as { input: string; output: string }
  return foldCase(input).includes(needle) || foldCase(output).includes(needle)
}
