export { requestSnippets } from './snippets.ts'
