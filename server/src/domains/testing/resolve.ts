import type { Target, VersionConfig } from '@cairn/contract'
import { type OpenTarget, ofVersion } from './targets.ts'

/** The complete target of a run, or the reason why there is none. */
export type Resolved = OpenTarget | { problem: string }

export interface ResolvedVersion {
  version_id: string
  version: string
  config: VersionConfig | null
}

export interface TargetDirectory {
  /** The oldest published chat of the project. */
  firstPublishedChat(projectId: string): Promise<string | undefined>
  /** Undefined if the project has no such chat. */
  isPublished(projectId: string, chatId: string): Promise<boolean | undefined>
  activeVersion(projectId: string): Promise<ResolvedVersion | undefined>
  isKnownModel(name: string): boolean
  /** Whether a provider is configured for the model. */
  canRun(name: string): boolean
}

export interface ResolvedRun {
  resolved: Resolved
  /** The version whose config applies. The traces of the run get its name. */
  version: ResolvedVersion | undefined
}

/**
 * Determines the target of a run. `requested` is the target of the run or of its suite. Without one, it is the first
 * published chat, otherwise the model of the version, otherwise the built-in model. `named` is the version that the run
 * names.
 */
export async function resolveTarget(
  projectId: string,
  requested: OpenTarget | undefined,
  named: ResolvedVersion | undefined,
  directory: TargetDirectory,
): Promise<ResolvedRun> {
  const given = requested?.target.type === 'default' ? undefined : requested
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

/** The config of a version overrides the settings of the chat. */
async function toChat(
  projectId: string,
  target: Target,
  version: ResolvedVersion | undefined,
  { isPublished, isKnownModel }: TargetDirectory,
): Promise<Resolved> {
  const { chat_id = '' } = target
  const published = await isPublished(projectId, chat_id)
  if (published === undefined) {
    return { problem: `the chat ${chat_id} does not exist any more; set another target of the suite` }
  }
  if (!published) return { problem: `the chat ${chat_id} has no published settings; publish them first` }
  const model = version?.config?.model
  if (model !== undefined && !isKnownModel(model)) {
    return {
      problem: `version ${version?.version} has the model ${model}, which is unknown to this server; publish a version with another model`,
    }
  }
  return { target: { ...ofVersion(version?.config), type: 'chat', chat_id }, headers: {} }
}

/** The fields of the target override the config of the version. */
function toModel(
  target: Target,
  version: ResolvedVersion | undefined,
  { canRun }: TargetDirectory,
): Resolved {
  const whole: Target = { ...ofVersion(version?.config), ...target, type: 'model' }
  const { model } = whole
  if (model === undefined) {
    return {
      problem: 'the target has no model; set target.model, or publish a version whose config has a model',
    }
  }
  if (!canRun(model)) {
    return {
      problem: `no provider is configured for the model ${model}; configure its provider, or set another model`,
    }
  }
  return { target: whole, headers: {} }
}
