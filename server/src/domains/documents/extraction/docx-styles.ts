import { readXml, type XmlEvents } from './xml-events.ts'

interface Style {
  name: string
  basedOn: string
  level: number | undefined
}

/** Heading levels by style id: from the style's outline level, its name ("heading 2", "Title") or its base style. */
export function headingLevels(stylesXml: string): Map<string, number> {
  const styles = readStyles(stylesXml)
  const levels = new Map<string, number>()
  for (const id of styles.keys()) {
    const level = levelOf(id, styles)
    if (level !== undefined) levels.set(id, level)
  }
  return levels
}

/** The heading level, from 1, of a `w:outlineLvl` value. The value counts from 0, and 9 means body text. */
export function outlineLevel(value: string | undefined): number | undefined {
  const level = Number(value)
  return value !== undefined && Number.isInteger(level) && level >= 0 && level < 9 ? level + 1 : undefined
}

function levelOf(id: string, styles: ReadonlyMap<string, Style>): number | undefined {
  const seen = new Set<string>()
  for (let style = styles.get(id); style && !seen.has(id); style = styles.get(id)) {
    seen.add(id)
    const byName = /^heading (\d)$/i.exec(style.name)?.[1]
    const level = style.level ?? (byName ? Number(byName) : undefined)
    if (level !== undefined) return level
    if (/^title$/i.test(style.name)) return 1
    id = style.basedOn
  }
  return undefined
}

function readStyles(xml: string): Map<string, Style> {
  const styles = new Map<string, Style>()
  let current: Style | undefined
  const events: XmlEvents = {
    open({ name, attributes }) {
      const value = attributes['w:val']
      if (name === 'w:style') {
        current = { name: '', basedOn: '', level: undefined }
        styles.set(attributes['w:styleId'] ?? '', current)
      } else if (!current) return
      else if (name === 'w:name') current.name = value ?? ''
      else if (name === 'w:basedOn') current.basedOn = value ?? ''
      else if (name === 'w:outlineLvl') current.level = outlineLevel(value)
    },
    close(name) {
      if (name === 'w:style') current = undefined
    },
    text() {},
  }
  readXml(xml, 'The Word document', events)
  return styles
}
