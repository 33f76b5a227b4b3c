/** What the overview of a project looks back at; the first without a choice. */
export const overviewPeriods = ['24h', '7d'] as const
