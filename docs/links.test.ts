import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => join('docs', name)),
]

/** Removes code, because brackets in code are not links. */
function proseOf(page: string): string {
  return readFileSync(join(root, page), 'utf8')
    .replace(/^```.*?^```$/gms, '')
    .replace(/`[^`\n]*`/g, '')
}

/** Links of a page to files of this repository: path from the root, and the heading after `#`. */
function linksOf(page: string): { path: string; heading: string | undefined }[] {
  return [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', heading] = target.split('#')
      return { path: path === '' ? page : relative('.', join(dirname(page), path)), heading }
    })
}

/** Headings as anchors, in the format of GitHub. */
function headingsOf(page: string): string[] {
  const lines = readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.*)$/gm)
  return [...lines].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

it.each(pages)('%s links to existing files, pictures and headings', (page) => {
  const broken = linksOf(page).filter(
    ({ path, heading }) =>
      !existsSync(join(root, path)) ||
      (heading !== undefined && path.endsWith('.md') && !headingsOf(path).includes(heading)),
  )
  expect(broken).toEqual([])
})

it('has no screenshot that no page shows', () => {
  const shown = new Set(pages.flatMap(linksOf).map(({ path }) => path))
  const screens = readdirSync(join(root, 'docs/guides/screens')).map((name) => `docs/guides/screens/${name}`)
  expect(screens.filter((path) => !shown.has(path))).toEqual([])
})
