export { type ToolName, tools } from './all.ts'
