import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../lib/processor-time.test-support.ts'
import { extractAndChunk, headingPathOf, reasonOf } from './extract.test-support.ts'
import { type Extension, extractText } from './extract.ts'

const samples: { extension: Extension; code: string; names: string[] }[] = [
  {
    extension: 'js',
    code: 'import a from "a"\n\nexport default class Cart {\n  get total() {\n    if (x) {\n    }\n    return 1\n  }\n}\nconst add = (a, b) => a + b\nasync function* stream() {}\n',
    names: ['Cart', 'total', 'add', 'stream'],
  },
  {
    extension: 'ts',
    code: 'export interface Price {\n  cents: number\n}\nexport type Id = string\nexport async function pay(price: Price): Promise<void> {\n  for (const x of y) {\n  }\n}\n',
    names: ['Price', 'Id', 'pay'],
  },
  {
    extension: 'py',
    code: 'import os\n\nclass Tank:\n    @property\n    def level(self):\n        return 3\n\nasync def drain(tank):\n    pass\n',
    names: ['Tank', 'level', 'drain'],
  },
  {
    extension: 'java',
    code: 'package a.b;\n\npublic final class Door {\n  private int width;\n  public static void open(int angle) {\n    return;\n  }\n}\n',
    names: ['Door', 'open'],
  },
  {
    extension: 'c',
    code: '#include <stdio.h>\n\nstruct point { int x; };\nstatic int add(int a, int b)\n{\n  return a + b;\n}\nint main(void) {\n  printf("x");\n  return add(1, 2);\n}\n',
    names: ['point', 'add', 'main'],
  },
  {
    extension: 'cpp',
    code: 'namespace geo {\nclass Shape {\n};\nvoid Shape::draw(int depth) {\n}\n}\n',
    names: ['geo', 'Shape', 'Shape::draw'],
  },
  { extension: 'h', code: '#define MAX 3\nenum colour { red };\nstruct node;\n', names: ['colour', 'node'] },
  {
    extension: 'cs',
    code: 'using System;\nnamespace Shop.Core {\n  public record Item(int Id);\n  internal sealed class Till {\n    public async Task<int> Count(string x)\n    {\n      return 1;\n    }\n  }\n}\n',
    names: ['Shop.Core', 'Item', 'Till', 'Count'],
  },
  {
    extension: 'php',
    code: '<?php\nfinal class Post {\n  public function title(): string { return "a"; }\n}\nfunction slug($a) { return $a; }\n',
    names: ['Post', 'title', 'slug'],
  },
  {
    extension: 'rb',
    code: 'module Zoo\n  class Bear < Animal\n    def self.roar!\n      puts 1\n    end\n  end\nend\n',
    names: ['Zoo', 'Bear', 'self.roar!'],
  },
  {
    extension: 'sh',
    code: '#!/bin/sh\nfunction up { true; }\ndown() {\n  false\n}\n',
    names: ['up', 'down'],
  },
  { extension: 'bat', code: '@echo off\n:: a comment\n:start\necho hi\ngoto start\n', names: ['start'] },
  {
    extension: 'ps1',
    code: 'param($a)\nFunction Get-Thing {\n  Write-Output 1\n}\n',
    names: ['Get-Thing'],
  },
]

describe('code', () => {
  test.each(samples)(
    'the text of $extension equals the file, and its symbols are headings',
    async (sample) => {
      const { text, headings } = await extractAndChunk(sample.code, sample.extension)
      expect(text).toBe(sample.code)
      expect(headings.map(({ title }) => title)).toEqual(sample.names)
      for (const { start, title } of headings) expect(text.slice(start, start + 80)).toContain(title)
    },
  )

  test('is not escaped or trimmed: scripts, unusual spaces and line ends stay', async () => {
    const code = '\t// <script>alert("&amp;")</script>\r\n\r\n  let x = `y`;   \r\nlet ü = "\\u0000"\n\n\n'
    expect((await extractAndChunk(code, 'js')).text).toBe(code)
    expect((await extractAndChunk(`\ufeff${code}`, 'ts')).text).toBe(code)
  })

  test('a chunk begins with the comment above a function, and its heading path has the class', async () => {
    const body = '    value = compute(value)  # a line of work\n'.repeat(12)
    const code = `class Engine:\n  def start(self):\n${body}\n  # Stops it all.\n  @final\n  def stop(self):\n${body}    return 42\n`
    const { chunks } = await extractAndChunk(code, 'py')
    expect(chunks.map((chunk) => chunk.text.split('\n')[0])).toEqual(['class Engine:', '# Stops it all.'])
    expect(headingPathOf(chunks, 'return 42')).toEqual(['Engine', 'stop'])
  })

  test('without symbols, chunks begin with lines', async () => {
    const code = Array.from(
      { length: 200 },
      (_, index) => `set variable_${index} to the value ${index}`,
    ).join('\n')
    const { chunks } = await extractAndChunk(code, 'bat')
    expect(chunks.length).toBeGreaterThan(5)
    for (const chunk of chunks) expect(chunk.text).toMatch(/^set variable_/)
  })

  test('another format, binary data and an empty file are rejected', async () => {
    expect(await reasonOf(extractText(Buffer.from('\x7fELF\x01\x01', 'latin1'), 'c'))).toBe('malicious')
    expect(await reasonOf(extractText(Buffer.from('MZ\x90\0\x03\0', 'latin1'), 'bat'))).toBe('malformed')
    expect(await reasonOf(extractText(Buffer.from('\n\n'), 'py'))).toBe('empty')
  })

  test.each(samples)('%s: a megabyte in odd lines is read fast', async ({ extension }) => {
    const work = async () => {
      for (const piece of ['a ', 'a(', 'public ', 'x = (', ' ', 'int a, ', '(\n', 'a::', '* ']) {
        const line = `${piece.repeat(288 / piece.length)}x`
        await extractText(Buffer.from(`${line}\n`.repeat(1000)), extension)
        await extractText(Buffer.from(piece.repeat(300_000 / piece.length).concat('x')), extension)
      }
    }
    expect(await processorMs(work)).toBeLessThan(5000)
  })
})
