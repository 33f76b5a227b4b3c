import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { ExtractionError } from './errors.ts'
import { refuseDeepNesting } from './nesting.ts'

export interface XmlEvents {
  open(tag: SaxesTagPlain): void
  close(name: string): void
  text(text: string): void
}

/**
 * Parses XML as a stream of events. A document that declares entities is rejected, so entities are never expanded.
 *
 * @param what name of the document in messages
 * @throws ExtractionError `malformed` for XML that is not well-formed, `malicious` for entity declarations and deep
 *   nesting
 */
export function readXml(xml: string, what: string, events: XmlEvents): void {
  const parser = new SaxesParser()
  let depth = 0
  parser.on('error', (cause) => {
    throw new ExtractionError('malformed', `${what} is malformed in line ${parser.line}.`, { cause })
  })
  parser.on('doctype', (doctype) => {
    if (!/<!ENTITY/i.test(doctype)) return
    throw new ExtractionError('malicious', `${what} declares entities, which are not accepted.`)
  })
  parser.on('opentag', (tag) => {
    refuseDeepNesting(++depth)
    events.open(tag)
  })
  parser.on('closetag', ({ name }) => {
    depth--
    events.close(name)
  })
  parser.on('text', (text) => events.text(text))
  parser.on('cdata', (text) => events.text(text))
  parser.write(xml).close()
}
