import { isObject, type JsonObject, textOf } from '@cairn/contract/conversations'
import { parsed } from './chat.ts'

/** A tool that a model may call. */
export interface ToolDefinition {
  name: string
  description: string | undefined
  /** JSON schema of the arguments. */
  parameters: unknown
}

const attributeNames = ['gen_ai.tool.definitions', 'llm.tools', 'ai.prompt.tools', 'tools']
const numbered = /^llm\.tools\.\d+\.tool\.json_schema$/

/** The tools of a request: those in its body, or else those in the attributes of its span. */
export function toolDefinitionsOf(input: unknown, attributes: JsonObject = {}): ToolDefinition[] {
  const inBody = isObject(input) ? definitionsIn(input.tools ?? input.functions) : []
  if (inBody.length > 0) return inBody
  for (const name of attributeNames) {
    const found = definitionsIn(parsed(attributes[name]))
    if (found.length > 0) return found
  }
  return definitionsIn(
    Object.keys(attributes).flatMap((name) => (numbered.test(name) ? [attributes[name]] : [])),
  )
}

function definitionsIn(list: unknown): ToolDefinition[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item) => {
    const tool = parsed(item)
    if (!isObject(tool)) return []
    const grouped = tool.functionDeclarations ?? tool.function_declarations
    const tools = Array.isArray(grouped) ? grouped.filter(isObject) : [tool]
    return tools.flatMap((one) => definitionOf(one) ?? [])
  })
}

function definitionOf(tool: JsonObject): ToolDefinition | undefined {
  const schema = [parsed(tool.json_schema), parsed(tool['tool.json_schema'])].find(isObject)
  const outer = schema ?? tool
  const inner = isObject(outer.function) ? outer.function : outer
  const name = textOf(inner.name) ?? textOf(inner.type)
  if (name === undefined) return undefined
  const { description, parameters, input_schema, inputSchema } = inner
  return {
    name,
    description: textOf(description),
    parameters: parsed(parameters ?? input_schema ?? inputSchema),
  }
}
