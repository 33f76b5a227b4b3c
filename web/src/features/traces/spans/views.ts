export const spanViews = ['waterfall', 'tree', 'timeline'] as const
export type SpanView = (typeof spanViews)[number]
