export { type RawLine, splitLines } from './lines.ts'
export { RejectedFile, type RejectedLine } from './rejected.ts'
export { type ImportSource, identify, isKnownAs, openFile, openStream } from './source.ts'
