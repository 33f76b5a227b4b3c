import {
  CreateRelationship,
  DeletedNodes,
  GraphRelationship,
  RelationshipParams,
  UpdateRelationship,
} from '@cairn/contract'
import { administratorOrKeyOf } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import type { RelationshipService } from './relationships.ts'

const tags = ['Graph']
const ofNodes = {
  access: administratorOrKeyOf({ place: 'body', of: 'node', fields: ['source_id', 'target_id'] }),
}
const ofRelationship = { access: administratorOrKeyOf({ place: 'path', of: 'relationship' }) }

export function relationshipRoutes(app: App, relationships: RelationshipService): void {
  app.post(
    '/create_relationship',
    {
      config: ofNodes,
      schema: {
        tags,
        operationId: 'createRelationship',
        summary: 'Create a relationship between two chunks of a chat',
        body: CreateRelationship,
        response: { 200: GraphRelationship },
      },
    },
    (request) => relationships.create(request.chatId, request.body),
  )

  app.put(
    '/update_relationship/:relationship_id',
    {
      config: ofRelationship,
      schema: {
        tags,
        operationId: 'updateRelationship',
        summary: 'Set properties of a relationship',
        params: RelationshipParams,
        body: UpdateRelationship,
        response: { 200: GraphRelationship },
      },
    },
    (request) => relationships.update(request.chatId, request.params.relationship_id, request.body),
  )

  app.delete(
    '/delete_relationship/:relationship_id',
    {
      config: ofRelationship,
      schema: {
        tags,
        operationId: 'deleteRelationship',
        summary: 'Delete a relationship; HAS_CHUNK and NEXT are only deleted with their chunks',
        params: RelationshipParams,
        response: { 200: DeletedNodes },
      },
    },
    (request) => relationships.delete(request.chatId, request.params.relationship_id),
  )
}
