export const feedTabs = ['issues', 'edit', 'start'] as const
export type FeedTab = (typeof feedTabs)[number]

export function readFeedSearch({ tab }: Record<string, unknown>): { tab?: FeedTab } {
  return feedTabs.includes(tab as FeedTab) ? { tab: tab as FeedTab } : {}
}
