import { resolve } from 'node:path'
import { parseTrustedProxies, type TrustedProxies } from '../lib/trusted-proxies.ts'
import { adminToken, encryptionKey, folder, host, integer, oneOf, origins, url } from './parse.ts'
import { type Variable, variable } from './variable.ts'

/** Addresses, storage, secrets, logging, and trusted proxies. */
export const serverVariables = {
  host: variable({ name: 'HOST', doc: 'Address to listen on.', fallback: '127.0.0.1', parse: host }),
  port: variable({
    name: 'PORT',
    doc: 'Port to listen on; 0 selects a free port.',
    fallback: 8000,
    parse: integer(0, 65_535),
  }),
  dataDir: variable({
    name: 'CAIRN_DATA_DIR',
    doc: 'Folder of the embedded database and the generated admin token.',
    fallback: resolve(process.cwd(), 'data'),
    fallbackDoc: './data',
    parse: folder,
  }),
  adminToken: variable<string | undefined>({
    name: 'CAIRN_ADMIN_TOKEN',
    doc: 'Token of the console API, at least 16 characters. If not set, the server creates one at the first start and stores it in the data folder.',
    fallback: undefined,
    fallbackDoc: 'generated',
    secret: true,
    parse: adminToken,
  }),
  encryptionKey: variable<Buffer | undefined>({
    name: 'CAIRN_ENCRYPTION_KEY',
    doc: 'Key that encrypts stored secrets: 32 bytes, base64 or hexadecimal. If not set, the server creates one at the first start and stores it in the data folder. Servers that share a database need the same key.',
    fallback: undefined,
    fallbackDoc: 'generated',
    secret: true,
    parse: encryptionKey,
  }),
  databaseUrl: variable<string | undefined>({
    name: 'DATABASE_URL',
    doc: 'PostgreSQL database that replaces the embedded SQLite database, as postgres://user:password@host/database.',
    fallback: undefined,
    fallbackDoc: 'embedded SQLite',
    secret: true,
    parse: url('postgres', 'postgresql'),
  }),
  redisUrl: variable<string | undefined>({
    name: 'REDIS_URL',
    doc: 'Redis for rate limits that all processes share, as redis://user:password@host:port/database, or rediss:// for TLS. Without Redis, or while it does not respond, each process counts by itself.',
    fallback: undefined,
    secret: true,
    parse: url('redis', 'rediss'),
  }),
  logLevel: variable({
    name: 'CAIRN_LOG_LEVEL',
    doc: 'Minimum level of the structured log on standard output.',
    fallback: undefined,
    fallbackDoc: '`info`, or `warn` in a terminal',
    parse: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  }) as Variable<'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent' | undefined>,
  corsOrigins: variable<'*' | string[]>({
    name: 'CAIRN_CORS_ORIGINS',
    doc: 'Browser origins that may call the API with a bearer token: * or a comma-separated list. Never with cookies.',
    fallback: '*',
    parse: origins,
  }),
  trustedProxies: variable<TrustedProxies | undefined>({
    name: 'CAIRN_TRUST_PROXY',
    doc: 'Trusted proxies: X-Forwarded-For, -Proto and -Host are used only if they come from these. Either the number of proxies in front of the server, such as `1`, or their addresses and networks, comma-separated, such as `loopback, 10.0.0.0/8` (`linklocal` and `uniquelocal` also work). The client is the farthest address that a trusted proxy reports. Limits on wrong credentials and the audit log use this address. `true` means `1`.',
    fallback: undefined,
    fallbackDoc: '`false`: none',
    parse: parseTrustedProxies,
  }),
}
