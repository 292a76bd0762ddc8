export const domains = {
  title: 'Domains',
  add: 'Add domain',
  addText:
    'The domain you send email from, for example mail.example.com. You then get the DNS records to add.',
  name: 'Domain',
  empty:
    'No domains yet. Sending from your own domain builds trust. Add it, then add the DNS records you are shown.',
  addedByApp:
    'A connected app added this domain. Until you say that it is yours, mails that link to it with a reader’s details wait for your approval.',
  isOurs: 'This is our domain',
  status: { pending: 'DNS records missing', verified: 'Verified', degraded: 'DNS records broken' },
  check: 'Check now',
  checked: (when: string) => `checked ${when}`,
  never: 'not checked yet',
  zone: 'Copy as zone file',
  remove: 'Remove',
  removeText: 'No more email is sent from it. You can delete its DNS records after one week.',
  removed: 'Domain removed',
  failed: 'That didn’t work',
  record: 'Type',
  host: 'Name',
  value: 'Value',
  state: 'Status',
  found: 'Found:',
  states: { ok: 'Found', missing: 'Missing', wrong: 'Wrong', unknown: 'Not checked yet' },
  neededFor: {
    verification: 'required',
    marketing: 'for marketing',
    tracking: 'for tracking',
    key_change: 'for a new key',
    nothing: 'recommended',
  } as Record<string, string>,
  /** The verdict by the status, and what to do about a record by its own: in English the service's sentences are shown. */
  verdicts: {} as Record<string, (missing: string) => string>,
  remedies: {} as Record<string, string>,
  refusedBy: {
    title: 'Refused by providers',
    text: (provider: string, kind: string, time: string) =>
      `${provider} refused ${kind} from this domain ${time}:`,
    kinds: { transactional: 'transactional email', marketing: 'marketing' },
    held: (time: string) => `Sending to it is on hold; the next attempt is ${time}.`,
  },
  warmUp: {
    title: 'Warm-up',
    text: (first: string, days: string) =>
      `A provider that does not know this domain yet gets at most ${first} marketing emails on the first day, and more each day. After ${days} days there is no limit. Receipts are never limited.`,
    none: 'No marketing sent yet.',
    provider: 'Provider',
    today: (sent: string, most: string) => `${sent} of ${most} today`,
    free: (sent: string) => `${sent} today, no limit`,
    daysLeft: (days: string) => `${days} ${days === '1' ? 'day' : 'days'} left`,
    held: {
      refusals: (time: string) => `On hold: the provider refused the sender. Resumes ${time}.`,
      allowance: (time: string) => `Today’s limit is reached. Resumes ${time}.`,
    },
  },
}
