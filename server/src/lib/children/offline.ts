import { Socket as DatagramSocket } from 'node:dgram'
import dns from 'node:dns'
import { Server, Socket } from 'node:net'

function refuse(): never {
  throw new Error('this process has no network')
}

/**
 * Disables the network for the code of this process. Node's permission model cannot do this, and network namespaces are
 * not available everywhere.
 */
export function goOffline(): void {
  for (const prototype of [Socket.prototype, Server.prototype, DatagramSocket.prototype]) {
    for (const name of ['connect', 'listen', 'bind', 'send']) {
      if (name in prototype) Object.defineProperty(prototype, name, { value: refuse })
    }
  }
  for (const api of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
    for (const name of Object.getOwnPropertyNames(api)) {
      if (/^(?:lookup|resolve|reverse)/.test(name)) Object.defineProperty(api, name, { value: refuse })
    }
  }
  for (const name of ['fetch', 'WebSocket', 'EventSource']) {
    // Node loads a global when it is redefined, which takes half of a child's start. Deleting it first avoids that.
    Reflect.deleteProperty(globalThis, name)
    Object.defineProperty(globalThis, name, { value: refuse })
  }
}
