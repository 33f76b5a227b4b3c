import { type Static, Type } from 'typebox'
import { JsonObject } from './common.ts'

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
