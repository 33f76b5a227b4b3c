import { Link } from '@tanstack/react-router'
import { FileText, Spline } from 'lucide-react'
import { useState } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { CreateRelationship } from './create-relationship.tsx'
import { DeleteNode } from './delete-node.tsx'
import type { Filter, Item } from './model.ts'
import { NodeRelationships } from './node-relationships.tsx'
import { NodeText } from './node-text.tsx'
import { filesPath, type PanelProps } from './panel.ts'
import { Properties } from './properties.tsx'

/** The panel of a document or chunk: actions, text, relationships and properties. */
export function NodePanel({ item, filter, ...places }: PanelProps & { item: Item; filter: Filter }) {
  const { projectId, chatId, model, onClose, selectNode } = places
  const [asked, setAsked] = useState<'relate' | 'delete'>()
  const isDocument = item.kind === 'document'
  const document = model.byId.get(item.fileId)
  const chunks = model.items.filter(({ fileId }) => fileId === item.fileId).length - 1
  return (
    <SidePanel
      label={isDocument ? item.text : `Chunk ${item.order + 1} of ${chunks}`}
      onClose={onClose}
      narrow
    >
      <div className="flex flex-col gap-4 p-4">
        {!isDocument && (
          <button type="button" className="link self-start text-left" onClick={() => selectNode(item.fileId)}>
            {document?.text}
          </button>
        )}
        <div className="flex flex-wrap gap-2">
          <Link
            to={filesPath(projectId, chatId)}
            search={{ file: item.fileId, ...(!isDocument && { chunk: item.id }) } as never}
            className={buttonClass()}
          >
            <FileText size={14} aria-hidden="true" />
            Open in document
          </Link>
          {!isDocument && (
            <Button onClick={() => setAsked('relate')}>
              <Spline size={14} aria-hidden="true" />
              Relate to…
            </Button>
          )}
          <Button variant="danger" onClick={() => setAsked('delete')}>
            Delete
          </Button>
        </div>
        <NodeText chatId={chatId} item={item} filename={document?.text ?? ''} />
        <NodeRelationships {...places} item={item} filter={filter} />
        <Properties
          values={{ ...item.properties, ...(isDocument && { chunks: chunks }) }}
          without={['text', 'filename', 'chatId']}
        />
      </div>
      {asked === 'relate' && (
        <CreateRelationship {...places} source={item} onClose={() => setAsked(undefined)} />
      )}
      <DeleteNode
        chatId={chatId}
        model={model}
        item={item}
        open={asked === 'delete'}
        onClose={() => setAsked(undefined)}
        onDeleted={onClose}
      />
    </SidePanel>
  )
}
