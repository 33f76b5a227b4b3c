export { FirstRun } from './first-run.tsx'
export { FirstTrace } from './first-trace.tsx'
export { Welcome } from './welcome.tsx'
