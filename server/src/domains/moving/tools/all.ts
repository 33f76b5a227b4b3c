import { langfuse } from './langfuse.ts'
import { langsmith } from './langsmith.ts'
import { opik } from './opik.ts'
import { phoenix } from './phoenix.ts'
import type { Tool } from './tool.ts'

export const tools = { langfuse, phoenix, opik, langsmith } satisfies Record<string, Tool>
export type ToolName = keyof typeof tools
