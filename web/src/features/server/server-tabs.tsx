import { TabLinks } from '../../ui/tab-links.tsx'

const tabs = [
  { name: 'health', title: 'Health', to: '/server' },
  { name: 'load', title: 'Load', to: '/server/load' },
  { name: 'models', title: 'Models', to: '/server/models' },
  { name: 'usage', title: 'Usage', to: '/server/usage' },
  { name: 'audit', title: 'Audit log', to: '/server/audit' },
] as const

export type ServerTab = (typeof tabs)[number]['name']

/** The tabs of the server screens. */
export function ServerTabs({ current }: { current: ServerTab }) {
  return <TabLinks label="Server" tabs={tabs} current={current} />
}
