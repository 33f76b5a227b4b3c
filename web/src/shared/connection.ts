import { connection } from '../ui/connection.ts'
import { serverAddress } from './client.ts'

/** Whether the server responds, with whatever status. */
export async function isReachable(): Promise<boolean> {
  try {
    await fetch(`${serverAddress}/v1/health`, { cache: 'no-store', signal: AbortSignal.timeout(5000) })
    return true
  } catch {
    return false
  }
}

/** After a request without a response: a single failed request is no loss of the connection. */
export async function noticeLoss(): Promise<void> {
  if (connection.get().isLost || (await isReachable())) return
  connection.set(() => ({ isLost: true }))
}
