import type { Registration, TokenAlgorithm } from '@cairn/sdk'
import { client } from '../../shared/client.ts'
import { linesOf } from './list-field.tsx'

export const dynamic = 'DYNAMIC'

/** The content of the registration form. */
export interface Draft {
  name: string
  anyIssuer: boolean
  issuer: string
  jwksUri: string
  anyAudience: boolean
  audiences: string
  algorithms: readonly TokenAlgorithm[]
  /** Id of the parent chat; empty for a new chat. */
  chatId: string
  /** Whether a new parent chat shows users the sources of its answers. */
  showSources: boolean
}

export const emptyDraft: Draft = {
  name: '',
  anyIssuer: false,
  issuer: '',
  jwksUri: '',
  anyAudience: false,
  audiences: '',
  algorithms: ['RS256', 'ES256'],
  chatId: '',
  showSources: true,
}

export const registrationFields = [
  'app_name',
  'issuer',
  'jwks_uri',
  'allowed_audiences',
  'alg_allowlist',
  'chat_id',
] as const

function registrationOf(draft: Draft, projectId: string): Registration {
  return {
    name: draft.name,
    issuer: draft.anyIssuer ? dynamic : draft.issuer.trim(),
    audiences: draft.anyAudience ? [dynamic] : linesOf(draft.audiences),
    algorithms: draft.algorithms,
    ...(!draft.anyIssuer && draft.jwksUri.trim() !== '' && { jwksUri: draft.jwksUri.trim() }),
    ...(draft.chatId === '' ? { projectId } : { chatId: draft.chatId }),
  }
}

/** Registers the application; a new parent chat gets its setting for sources and is published. Returns the id. */
export async function register(draft: Draft, projectId: string): Promise<string> {
  const { app_id, chat_id } = await client.console.apps.register(registrationOf(draft, projectId))
  if (draft.chatId === '' && !draft.showSources) {
    await client.console.chats.update(chat_id, { settings: { show_sources_to_users: false } })
    await client.console.chats.publish(chat_id)
  }
  return app_id
}
