interface Model {
  name: string
  configured: boolean
  runs: string | null
}

/** The model that answers with the settings: without a provider, another one runs in the place of the chosen model. */
export function runningModel(chosen: string | undefined, models: readonly Model[] | undefined): string {
  const model = models?.find(({ name }) => name === chosen)
  const isReplaced = model && !model.configured && model.runs !== null && model.runs !== chosen
  return isReplaced ? `${model.runs} (no provider for ${chosen})` : `${chosen} (settings)`
}
