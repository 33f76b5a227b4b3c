export interface Step {
  title: string
  /** Shell lines, as in the README. */
  commands: string
}

/** Commands for a first cited answer, for bash or zsh in Cairn's folder. The README has the same lines. */
export function firstAnswerSteps(address: string): Step[] {
  return [
    {
      title: 'Set the address and the admin token',
      commands: `CAIRN=${address}
ADMIN="X-Admin-Token: $(cat data/admin-token)"
JSON="Content-Type: application/json"
id() { sed -n "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p"; }`,
    },
    {
      title: 'Create a project',
      commands: `PROJECT=$(curl -sS "$CAIRN/v1/console/projects" -H "$ADMIN" -H "$JSON" \\
  -d '{"name": "First project"}' | id project_id)`,
    },
    {
      title: 'Create a chat in it, published',
      commands: `CHAT=$(curl -sS "$CAIRN/v1/console/projects/$PROJECT/chats" -H "$ADMIN" -H "$JSON" \\
  -d '{"title": "Handbook", "publish": true}' | id chat_id)`,
    },
    {
      title: 'Create the key of the chat',
      commands: `KEY=$(curl -sS -X POST "$CAIRN/v1/console/chats/$CHAT/keys" -H "$ADMIN" | id api_key)`,
    },
    {
      title: 'Upload a document',
      commands: `curl -sS "$CAIRN/v1/$CHAT/upload_with_scopes" -H "Authorization: Bearer $KEY" \\
  -F file=@docs/guides/sample/handbook.md -F 'scope_values={"team": "office"}' -w '\\n'`,
    },
    {
      title: 'Ask a question',
      commands: `curl -sS "$CAIRN/v1/$CHAT/answer_question" -H "Authorization: Bearer $KEY" -H "$JSON" \\
  -d '{"question": "How many days of paid leave do new staff get?"}' -w '\\n'`,
    },
  ]
}
