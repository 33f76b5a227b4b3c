import { Code } from 'lucide-react'
import { useState } from 'react'
import { serverAddress } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Snippets } from '../../ui/snippets.tsx'
import { requestSnippets } from '../chats/index.ts'
import type { Turn } from './conversation.ts'

/** Code that sends the request of a question. */
export function RequestCode({ turn, chatId }: { turn: Turn; chatId: string }) {
  const [open, setOpen] = useState(false)
  const { isDraft, request } = turn
  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        <Code size={14} aria-hidden="true" /> Code
      </Button>
      <Dialog
        title="This request in code"
        description={
          isDraft
            ? 'Replace YOUR_API_KEY with a key of this chat that has the permission admin. The draft settings answer.'
            : 'Replace YOUR_API_KEY with a key of this chat that has the permission query.'
        }
        open={open}
        onClose={() => setOpen(false)}
        wide
      >
        <Snippets
          label="The request"
          snippets={requestSnippets({
            address: serverAddress,
            chatId,
            question: { ...request },
            mode: isDraft ? 'draft' : 'stream',
          })}
        />
      </Dialog>
    </>
  )
}
