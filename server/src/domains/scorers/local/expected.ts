/** The parts of a trace that are scored. */
export interface TraceTexts {
  input: string
  output: string
  custom_attributes: Record<string, unknown>
  metadata: Record<string, unknown>
}

/**
 * The expected output of a trace: `expected_output` of its custom attributes or else of its metadata, if the value is a
 * text, a number or a boolean.
 */
export function expectedOf({ custom_attributes, metadata }: TraceTexts): string | undefined {
  const found = [custom_attributes.expected_output, metadata.expected_output].find((value) =>
    ['string', 'number', 'boolean'].includes(typeof value),
  )
  return found === undefined ? undefined : String(found)
}
