import { readXml, type XmlEvents } from './xml-events.ts'

interface Style {
  name: string
  basedOn: string
  level: number | undefined
}

/** Heading levels by style id: from the style's outline level, its name ("heading 2", "Title") or its base style. */
export function headingLevels(stylesXml: string): Map<string, number> {
  const styles = readStyles(stylesXml)
  const levels = new Map<string, number | undefined>()
  for (const id of styles.keys()) addLevels(id, styles, levels)
  return new Map([...levels].filter((entry): entry is [string, number] => entry[1] !== undefined))
}

/** The heading level, from 1, of a `w:outlineLvl` value. The value counts from 0, and 9 means body text. */
export function outlineLevel(value: string | undefined): number | undefined {
  const level = Number(value)
  return value !== undefined && Number.isInteger(level) && level >= 0 && level < 9 ? level + 1 : undefined
}

/**
 * Adds the level of a style, and of the styles that it is based on. Known levels end the walk, so that long chains of
 * styles take linear time.
 */
function addLevels(
  id: string,
  styles: ReadonlyMap<string, Style>,
  levels: Map<string, number | undefined>,
): void {
  const path: string[] = []
  let level: number | undefined
  for (let style = styles.get(id); style; style = styles.get(id)) {
    if (levels.has(id)) {
      level = levels.get(id)
      break
    }
    // Reserved, so that a circle of styles ends here.
    levels.set(id, undefined)
    path.push(id)
    level = ownLevel(style)
    if (level !== undefined) break
    id = style.basedOn
  }
  for (const each of path) levels.set(each, level)
}

function ownLevel({ name, level }: Style): number | undefined {
  const byName = /^heading (\d)$/i.exec(name)?.[1]
  return level ?? (byName ? Number(byName) : /^title$/i.test(name) ? 1 : undefined)
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
