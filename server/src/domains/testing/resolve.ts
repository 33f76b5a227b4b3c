import type { Target, VersionConfig } from '@cairn/contract'
import { type OpenTarget, ofVersion } from './targets.ts'

/** What a run calls, all of it said, or why there is nothing to call. */
export type Resolved = OpenTarget | { problem: string }

export interface ResolvedVersion {
  version_id: string
  version: string
  config: VersionConfig | null
}

export interface TargetDirectory {
  /** The chat of the project that was made first of those that are published. */
  firstPublishedChat(projectId: string): Promise<string | undefined>
  /** Undefined for no chat of the project. */
  isPublished(projectId: string, chatId: string): Promise<boolean | undefined>
  activeVersion(projectId: string): Promise<ResolvedVersion | undefined>
  isKnownModel(name: string): boolean
  /** Whether a provider is configured for the model. */
  canRun(name: string): boolean
}

export interface ResolvedRun {
  resolved: Resolved
  /** The version whose config counts; what the traces of the run carry. */
  version: ResolvedVersion | undefined
}

/**
 * What a run calls. `asked` is what it or its suite says; without it the first published chat, else the model of the
 * version, else the built-in answerer. `named` is the version that the run names.
 */
export async function resolveTarget(
  projectId: string,
  asked: OpenTarget | undefined,
  named: ResolvedVersion | undefined,
  directory: TargetDirectory,
): Promise<ResolvedRun> {
  const given = asked?.target.type === 'default' ? undefined : asked
  if (given?.target.type === 'chat') {
    return { resolved: await toChat(projectId, given.target, named, directory), version: named }
  }
  if (given?.target.type === 'model') {
    const version = named ?? (await directory.activeVersion(projectId))
    return { resolved: toModel(given.target, version, directory), version }
  }
  if (given) return { resolved: given, version: named }
  const chatId = await directory.firstPublishedChat(projectId)
  if (chatId !== undefined) {
    const target: Target = { type: 'chat', chat_id: chatId }
    return { resolved: await toChat(projectId, target, named, directory), version: named }
  }
  const version = named ?? (await directory.activeVersion(projectId))
  const model = version?.config?.model
  if (model !== undefined && directory.canRun(model)) {
    return { resolved: toModel({ type: 'model' }, version, directory), version }
  }
  return { resolved: { target: { type: 'builtin' }, headers: {} }, version: named }
}

/** What a version says wins over the settings of the chat. */
async function toChat(
  projectId: string,
  target: Target,
  version: ResolvedVersion | undefined,
  { isPublished, isKnownModel }: TargetDirectory,
): Promise<Resolved> {
  const { chat_id = '' } = target
  const published = await isPublished(projectId, chat_id)
  if (published === undefined) {
    return { problem: `the chat ${chat_id} does not exist any more; give the suite another target` }
  }
  if (!published) return { problem: `the chat ${chat_id} has no published settings; publish them first` }
  const model = version?.config?.model
  if (model !== undefined && !isKnownModel(model)) {
    return {
      problem: `version ${version?.version} names the model ${model}, which this server does not know`,
    }
  }
  return { target: { ...ofVersion(version?.config), type: 'chat', chat_id }, headers: {} }
}

/** What the target says wins over the version. */
function toModel(
  target: Target,
  version: ResolvedVersion | undefined,
  { canRun }: TargetDirectory,
): Resolved {
  const whole: Target = { ...ofVersion(version?.config), ...target, type: 'model' }
  const { model } = whole
  if (model === undefined) {
    return { problem: 'no model is named; name one in the target, or publish a version whose config has one' }
  }
  if (!canRun(model)) {
    return { problem: `no provider is configured for the model ${model}; set its key, or name another model` }
  }
  return { target: whole, headers: {} }
}
