import { type Config, localModelsFolder } from '../config.ts'
import { type CuratedModel, curatedModels } from '../models/local/curated.ts'
import { type InstalledModel, installedModels, LocalModelError } from '../models/local/folder.ts'
import { pullModel } from '../models/local/pull.ts'
import { createProgress, stopOnSignal } from './progress.ts'
import { parseCommand, UsageError } from './usage.ts'

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** `cairn models list` and `cairn models pull <name>`. */
export async function models(config: Config, args: string[]): Promise<number> {
  const [action, name, ...rest] = parseCommand({ args, options: {}, allowPositionals: true }).positionals
  if (action === 'list' && name === undefined) return list(config)
  if (action === 'pull' && name !== undefined && rest.length === 0) return pull(config, name)
  throw new UsageError('models needs list, or pull and the name of a model')
}

function list(config: Config): number {
  const folder = localModelsFolder(config)
  const installed = installedModels(folder)
  say(`Models in ${folder}:`)
  if (installed.length === 0) say('  none')
  for (const model of installed) for (const line of describeInstalled(model)) say(line)
  const names = new Set(installed.map(({ name }) => name))
  const others = curatedModels.filter((model) => !names.has(model.name))
  if (others.length > 0) say('Models that cairn models pull fetches:')
  for (const model of others) say(`  ${describe(model)}`)
  return 0
}

function describe({ name, kind, megabytes, licence, about, repository, revision }: CuratedModel): string {
  return `${name} (${kind}, ${megabytes} MB, ${licence}): ${about}; ${repository}@${revision.slice(0, 8)}`
}

function describeInstalled({ name, kind, record }: InstalledModel): string[] {
  const origin = record ? `${record.licence}, ${record.source}` : 'not pulled by Cairn'
  const files = Object.entries(record?.files ?? {})
  return [
    `  local/${name} (${kind}): ${origin}`,
    ...files.map(([file, { bytes, sha256 }]) => `    ${file}  ${bytes} bytes  sha256 ${sha256}`),
  ]
}

async function pull(config: Config, name: string): Promise<number> {
  const [folder, hub] = [localModelsFolder(config), config.modelHub.replace(/\/+$/, '')]
  const model = curatedModels.find((one) => one.name === name)
  if (!model) {
    const known = curatedModels.map((one) => one.name).join(', ')
    throw new UsageError(`there is no model ${name}; there are ${known}`)
  }
  say(describe(model))
  const progress = createProgress()
  const onProgress = (file: string, bytes: number, total: number | undefined) => {
    const size = (count: number) => `${(count / 1e6).toFixed(1)} MB`
    progress.show(() => `${file}: ${size(bytes)}${total === undefined ? '' : ` of ${size(total)}`}`)
  }
  try {
    const record = await pullModel(model, { folder, hub, signal: stopOnSignal(), onProgress })
    progress.end()
    for (const { name: file, sha256 } of model.files) {
      const found = record.files[file]
      const note = sha256 ? 'as listed' : 'recorded now, because the hub publishes none'
      say(`  ${file}  ${found?.bytes} bytes  sha256 ${found?.sha256}  (${note})`)
    }
    say(`${model.name} is in ${folder}. Restart the server to use it.`)
    say(
      model.kind === 'embedding'
        ? `Set CAIRN_EMBEDDING_MODEL=local/${model.name}`
        : `Set rerank_model of a chat to "local/${model.name}".`,
    )
    return 0
  } catch (error) {
    progress.end()
    if (!(error instanceof LocalModelError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}
