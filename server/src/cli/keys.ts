import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { migrate, openDatabase } from '../db/index.ts'
import { AccessService, createAccessStore } from '../domains/access/index.ts'

const usage = 'usage: cairn keys create <project name>\n'

/** Makes a project with a first key, without the server's help: the way in on a new installation. */
export async function keys(config: Config, args: string[]): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [action, name, ...others] = positionals
  if (action !== 'create' || !name?.trim() || others.length > 0) {
    process.stderr.write(usage)
    return 2
  }
  const db = await openDatabase(config)
  try {
    await migrate(db)
    const access = new AccessService(createAccessStore(db))
    const project = await access.createProject(name)
    const owner = { projectId: project.project_id, chatId: null }
    const key = await access.createKey(owner, { name: 'first key' })
    process.stdout.write(`project_id ${project.project_id}\napi_key    ${key.api_key}\n`)
    return 0
  } finally {
    await db.close()
  }
}
