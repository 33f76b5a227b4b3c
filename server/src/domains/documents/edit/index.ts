export { EditService } from './edits.ts'
export { checkProperties, mergeProperties, type PropertyChanges } from './properties.ts'
export { createEditStore } from './store-edits.ts'
