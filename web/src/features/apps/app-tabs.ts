/** Views of an application, as they stand in the address. */
export const appTabs = ['settings', 'integration', 'users'] as const
