/** What of a trace is judged. */
export interface TraceTexts {
  input: string
  output: string
  custom_attributes: Record<string, unknown>
  metadata: Record<string, unknown>
}

/**
 * What the output of a trace should have been: `expected_output` of its custom attributes, else of its metadata, where
 * that is a text, a number or a boolean.
 */
export function expectedOf({ custom_attributes, metadata }: TraceTexts): string | undefined {
  const found = [custom_attributes.expected_output, metadata.expected_output].find((value) =>
    ['string', 'number', 'boolean'].includes(typeof value),
  )
  return found === undefined ? undefined : String(found)
}
