export const businesses = {
  title: 'All businesses',
  tier: (name: string) => `Tier ${name}`,
  waiting: (count: string) => `${count} to approve`,
  going: (count: string) => `${count} being sent`,
  nothing: 'Nothing waits',
  lacks: {
    postal_address: 'No postal address',
    sender_domain: 'No sender domain',
  } as Record<string, string>,
  emails: 'Emails this month',
  of: (used: string, limit: string) => `${used} of ${limit}`,
  unlimited: (used: string) => `${used}, no limit`,
  csv: 'Usage as CSV',
  csvText: 'Usage of this month, one line for each counter',
  more: 'Show more',
  failed: 'Usage could not be read',
}
