/** Tabs of an application by their names in the address. */
export const appTabs = ['settings', 'integration', 'users'] as const
