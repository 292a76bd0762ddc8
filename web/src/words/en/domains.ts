export const domains = {
  title: 'Domains',
  add: 'Add a domain',
  addText:
    'The domain that your mail comes from, such as mail.example.com. You get the DNS records to set.',
  name: 'Domain',
  empty:
    'Mail that comes from your own domain is trusted. Add it, and set the records that you get.',
  status: { pending: 'Records missing', verified: 'Verified', degraded: 'Broken' },
  check: 'Check now',
  checked: (when: string) => `checked ${when}`,
  never: 'not checked yet',
  zone: 'Copy all as a zone file',
  remove: 'Remove',
  removeText: 'Mail goes out from it no more. What you set in DNS can be deleted in a week.',
  removed: 'The domain was removed',
  failed: 'That was not done',
  record: 'Record',
  host: 'Name',
  value: 'Value',
  state: 'State',
  found: 'Found:',
  states: { ok: 'Found', missing: 'Missing', wrong: 'Wrong', unknown: 'Not seen yet' },
  neededFor: {
    verification: 'needed',
    marketing: 'for marketing',
    tracking: 'for tracking',
    key_change: 'for a new key',
    nothing: 'advised',
  } as Record<string, string>,
  refusedBy: {
    title: 'Refused by providers',
    text: (provider: string, kind: string, time: string) =>
      `${provider} refused ${kind} from this domain ${time}:`,
    kinds: { transactional: 'transactional mail', marketing: 'marketing' },
    held: (time: string) => `Its mail waits and is tried again ${time}.`,
  },
  warmUp: {
    title: 'Warm-up of marketing',
    text: (first: string, days: string) =>
      `A provider that does not know the domain yet gets at most ${first} mails of marketing on the first day, and more each day. After ${days} days there is no limit. Receipts are never limited.`,
    none: 'No marketing went out yet.',
    provider: 'Provider',
    today: (sent: string, most: string) => `${sent} of ${most} today`,
    free: (sent: string) => `${sent} today, no limit`,
    daysLeft: (days: string) => `${days} days left`,
    held: {
      refusals: (time: string) => `Waits: it refused the sender. It goes on ${time}.`,
      allowance: (time: string) => `The most of today went out. It goes on ${time}.`,
    },
  },
}
