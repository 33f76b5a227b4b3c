/** Periods of the overview of a project; the first is the default. */
export const overviewPeriods = ['24h', '7d'] as const
