import { type Client, createUserClient } from '@cairn/sdk'
import { audience, someIssuer } from '../support/issuer.ts'

const texts = ['The meter is read in March.', 'Ask the landlord about the window before winter comes.']

/** Creates two applications, the first with users and files. Returns the id of the first. */
export async function makeApps(
  client: Client,
  { projectId, chatId, baseUrl }: { projectId: string; chatId: string; baseUrl: string },
): Promise<string> {
  const issuer = await someIssuer()
  const { app_id: appId } = await client.console.apps.register({
    name: 'Tenant portal',
    issuer: issuer.url,
    audiences: [audience, 'tenant-portal-ios'],
    chatId,
  })
  const other = await client.console.apps.register({
    name: 'Field staff',
    issuer: 'DYNAMIC',
    audiences: ['DYNAMIC'],
    projectId,
  })
  await client.console.apps.update(other.app_id, { api_access_enabled: false })
  for (const [number, subject] of ['ann', 'bob', 'cleo', 'dan'].entries()) {
    const me = createUserClient({ baseUrl, appId, idToken: await issuer.token(subject) })
    await me.profile()
    for (const text of texts.slice(0, number)) await me.files.uploadText({ text, name: `secret-${subject}` })
  }
  return appId
}
