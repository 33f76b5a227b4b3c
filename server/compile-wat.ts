import { readFileSync, writeFileSync } from 'node:fs'
import wabt from 'wabt'

const folder = new URL('src/domains/retrieval/wasm/', import.meta.url)

/** The module that `row-functions.wat` says. */
export async function compileRowFunctions(): Promise<Buffer> {
  const text = readFileSync(new URL('row-functions.wat', folder), 'utf8')
  const features = { simd: true, relaxed_simd: true }
  const { buffer } = (await wabt()).parseWat('row-functions.wat', text, features).toBinary({})
  return Buffer.from(buffer)
}

if (import.meta.main) {
  const base64 = (await compileRowFunctions()).toString('base64')
  writeFileSync(
    new URL('row-functions.wasm.ts', folder),
    `/** \`row-functions.wat\`, compiled by \`npm run wasm\`. */
export const rowFunctionsWasm = Buffer.from(
  '${base64}',
  'base64',
)
`,
  )
}
