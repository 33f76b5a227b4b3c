import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { createLowlight } from 'lowlight'

const lowlight = createLowlight({
  ...{ bash, c, cpp, csharp, css, diff, go, java, javascript, json, kotlin, php, python, ruby, rust, sql },
  ...{ swift, typescript, xml, yaml },
})

/** A part of a program text; `kind` is a name of highlight.js, such as `keyword`. */
export interface CodeToken {
  text: string
  kind: string | undefined
}

type Node = ReturnType<typeof lowlight.highlight>['children'][number]

/** The tokens of a program text; undefined for unknown languages. */
export function highlight(text: string, language: string): CodeToken[] | undefined {
  if (!lowlight.registered(language)) return undefined
  const tokens: CodeToken[] = []
  collect(lowlight.highlight(language, text).children, undefined, tokens)
  return tokens
}

function collect(nodes: readonly Node[], kind: string | undefined, tokens: CodeToken[]): void {
  for (const node of nodes) {
    if (node.type === 'text') tokens.push({ text: node.value, kind })
    else if (node.type === 'element')
      collect(node.children, kindOf(node.properties.className) ?? kind, tokens)
  }
}

/** `['hljs-title', 'function_']` is `title`. */
function kindOf(names: unknown): string | undefined {
  const [first] = Array.isArray(names) ? names : []
  return typeof first === 'string' ? first.replace(/^hljs-/, '') : undefined
}
