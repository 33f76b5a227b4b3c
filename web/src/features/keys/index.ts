export { CreateKey } from './create-key.tsx'
export { chatMeanings, projectMeanings } from './permissions.ts'
