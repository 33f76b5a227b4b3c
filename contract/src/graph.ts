import { type Static, Type } from 'typebox'
import { absent, body, JsonObject } from './common.ts'
import { limits } from './limits.ts'

export const GraphNode = Type.Object({
  id: Type.String(),
  labels: Type.Array(Type.Union([Type.Literal('Document'), Type.Literal('Chunk')])),
  properties: JsonObject,
})
export type GraphNode = Static<typeof GraphNode>

export const relationshipTypes = [
  'HAS_CHUNK',
  'NEXT',
  'EXPLAINS',
  'SUPPORTS',
  'ELABORATES',
  'INTRODUCES',
  'CONCLUDES',
] as const
export type RelationshipType = (typeof relationshipTypes)[number]

export const GraphRelationship = Type.Object({
  id: Type.String(),
  source: Type.String(),
  target: Type.String(),
  type: Type.Enum(relationshipTypes),
  properties: JsonObject,
})
export type GraphRelationship = Static<typeof GraphRelationship>

export const GraphData = Type.Object({
  nodes: Type.Array(GraphNode),
  relationships: Type.Array(GraphRelationship),
})
export type GraphData = Static<typeof GraphData>

/** Progress of the background work on a graph. */
export const GraphStatus = Type.Object({
  chat_id: Type.String(),
  documents: Type.Integer({ minimum: 0 }),
  relating: Type.Integer({
    minimum: 0,
    description: 'documents without relationships so far; 0 when the graph is complete',
  }),
})
export type GraphStatus = Static<typeof GraphStatus>

/** Relationship types that callers may create. The server derives the other types from the order of chunks. */
export const madeRelationshipTypes = relationshipTypes.filter(
  (type) => type !== 'HAS_CHUNK' && type !== 'NEXT',
)

const flat = 'any other property: a text, number, boolean, or a list of these; null removes it'

/** Changes to the properties of a node; ids and `type` are ignored. */
export const UpdateNode = Type.Object(
  {
    filename: absent(Type.String({ minLength: 1, pattern: '\\S', description: 'for documents only' })),
    text: absent(
      Type.String({
        minLength: 1,
        maxLength: limits.chunkLength,
        pattern: '\\S',
        description: 'for chunks only; also changes the text of the document',
      }),
    ),
  },
  { additionalProperties: Type.Unknown({ description: flat }) },
)
export type UpdateNode = Static<typeof UpdateNode> & Record<string, unknown>

const Confidence = Type.Number({ minimum: 0, maximum: 1 })
const RelationshipProperties = {
  confidence: absent(Confidence),
  ai_generated: absent(Type.Boolean()),
}

/** Changes to the properties of a relationship; ids and `type` are ignored. */
export const UpdateRelationship = Type.Object(RelationshipProperties, {
  additionalProperties: Type.Unknown({ description: flat }),
})
export type UpdateRelationship = Static<typeof UpdateRelationship> & Record<string, unknown>

export const CreateRelationship = body({
  source_id: Type.String({ description: 'a chunk' }),
  target_id: Type.String({ description: 'another chunk of the same chat' }),
  relationship_type: Type.Enum(madeRelationshipTypes),
  properties: absent(UpdateRelationship),
})
export type CreateRelationship = Static<typeof CreateRelationship>

export const NodeParams = Type.Object({ node_id: Type.String() })
export const RelationshipParams = Type.Object({ relationship_id: Type.String() })
