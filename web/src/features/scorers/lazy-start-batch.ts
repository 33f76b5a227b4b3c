import { lazyComponent } from '../../ui/lazy-component.tsx'

/** The dialog that starts a batch, loaded when it is opened: the list of traces shows without it. */
export const startBatch = lazyComponent(() =>
  import('./start-batch.tsx').then(({ StartBatch }) => StartBatch),
)
