import { expect, it } from 'vitest'
import { showDirectionMarks } from './direction-marks.ts'
import { mediaAt, mediaOf } from './media.ts'

it('images and sounds are data of safe types, or remote', () => {
  for (const type of ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']) {
    expect(mediaAt(`data:${type};base64,aa`)).toMatchObject({ kind: 'image', isRemote: false })
  }
  for (const type of ['audio/wav', 'audio/mpeg', 'audio/ogg', 'audio/mp4']) {
    expect(mediaAt(`data:${type};base64,aa`)).toMatchObject({ kind: 'audio', isRemote: false })
  }
  expect(mediaAt('https://a.example/x.svg')).toMatchObject({ isRemote: true })
  for (const url of [
    'data:image/svg+xml;base64,aa',
    'data:text/html;base64,aa',
    'data:image/png,aa',
    'data:image/svg+xml;x=image/png;base64,aa',
    'javascript:alert(1)',
    'blob:https://a.example/x',
    'file:///x.png',
    '/x.png',
    '',
  ]) {
    expect(mediaAt(url), url).toBeUndefined()
  }
  expect(mediaOf('image/svg+xml', 'aa')).toBeUndefined()
  expect(mediaOf('image/png', 'data:text/html;base64,aa')).toBeUndefined()
  expect(mediaOf('image/png;base64,x', 'aa')).toBeUndefined()
})

it('code shows the characters that change the order of its text', () => {
  expect(showDirectionMarks('a\u202E b\u2066')).toBe('a⟦U+202E⟧ b⟦U+2066⟧')
})
