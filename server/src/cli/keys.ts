import type { Config } from '../config.ts'
import { migrate, openDatabase } from '../db/index.ts'
import { AccessService, createAccessStore } from '../domains/access/index.ts'
import { parseCommand, UsageError } from './usage.ts'

/** Creates a project with a first key without a running server, for new installations. */
export async function keys(config: Config, args: string[]): Promise<number> {
  const { positionals } = parseCommand({ args, allowPositionals: true })
  const [action, name, ...others] = positionals
  if (action !== 'create') throw new UsageError('the only action of keys is create')
  if (!name?.trim() || others.length > 0) throw new UsageError('name one project, in quotes if it has spaces')
  const db = await openDatabase(config)
  try {
    await migrate(db)
    const access = new AccessService(createAccessStore(db))
    const project = await access.createProject(name)
    const key = await access.createProjectKey(project.project_id, { name: 'first key' })
    process.stdout.write(`project_id ${project.project_id}\napi_key    ${key.api_key}\n`)
    return 0
  } finally {
    await db.close()
  }
}
