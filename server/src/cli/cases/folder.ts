import { readFileSync, realpathSync } from 'node:fs'
import { dirname, extname, isAbsolute, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'
import { FormatError, messageOf } from './read.ts'

/** Files in the folder of a config. Files outside of this folder are never read. */
export class Folder {
  readonly #root: string

  constructor(configFile: string) {
    this.#root = realpathSync(dirname(configFile))
  }

  /** @throws FormatError */
  text(named: string): string {
    const path = named.startsWith('file:///') ? fileURLToPath(named) : named.replace(/^file:\/\//, '')
    let real: string
    try {
      real = realpathSync(isAbsolute(path) ? path : join(this.#root, path))
    } catch {
      throw new FormatError(`the file ${path} does not exist`)
    }
    if (!real.startsWith(this.#root.endsWith(sep) ? this.#root : this.#root + sep)) {
      throw new FormatError(`${path} is not in the folder of the config`)
    }
    try {
      return readFileSync(real, 'utf8')
    } catch (error) {
      throw new FormatError(`${path} cannot be read: ${messageOf(error)}`)
    }
  }

  /** A YAML or JSON file as a value. @throws FormatError */
  value(named: string): unknown {
    return parseYaml(this.text(named), named)
  }
}

/** Parses YAML, which includes JSON. @throws FormatError */
export function parseYaml(text: string, named: string): unknown {
  try {
    return load(text)
  } catch (error) {
    throw new FormatError(`${named} is not valid YAML: ${messageOf(error).split('\n')[0]}`)
  }
}

export const extensionOf = (file: string): string => extname(file).toLowerCase()
