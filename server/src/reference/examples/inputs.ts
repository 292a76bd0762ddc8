/**
 * Example arguments for each operation. Required ids, and fields that `values.ts` knows by name,
 * need no line here. A line is for arguments that make the example more useful.
 */
import type { Operation } from '../../core/operation.ts'
import type { ExampleIds } from './ids.ts'
import { exampleValue, type Schema } from './values.ts'

const examples: Record<string, Record<string, unknown>> = {
  'brand.set': {
    colours: [
      { name: 'accent', value: '#1d4ed8' },
      { name: 'text', value: '#1f2937' },
    ],
    font: 'georgia',
    radius: 4,
    footer: [
      { type: 'text', text: 'Ana’s Yoga, in the old mill since 2011', align: 'center' },
      { type: 'social' },
    ],
    social: [{ network: 'instagram', url: 'https://instagram.com/anasyoga' }],
    tone: 'Warm and brief, first names, no exclamation marks.',
  },
  'brand.read_site': { url: 'https://shop.example' },
  'business.save': {
    postal_address: '12 Example Road, 69001 Lyon, France',
    sender: { name: 'Fennoway Yoga', email: 'hello@shop.example' },
  },
  'meta.activity': { since: '2026-11-28T08:00:00Z' },
  'meta.changes': { limit: 50, types: ['form.submitted', 'contact.created'] },
  'contact.upsert': {
    email: 'ana@example.com',
    first_name: 'Ana',
    last_name: 'Ruiz',
    attributes: { city: 'Lyon' },
    tags: ['vip'],
    consent: { email: { status: 'subscribed', source: 'checkout page' } },
  },
  'contact.import': {
    contacts: [
      { email: 'ana@example.com', tags: ['imported'] },
      { email: 'ben@example.com', name: "Ben O'Hara" },
    ],
  },
  'contact.track': {
    events: [
      {
        contact: { email: 'ana@example.com' },
        event: 'order',
        id: 'A-1042',
        value: 48,
        currency: 'EUR',
        properties: { course: 'Yin yoga' },
      },
    ],
  },
  'contact.tag': { filter: { did: 'order', within: '90 days' }, add: ['customer'] },
  'contact.list': { q: 'ana', limit: 20 },
  'contact.suppress': { email: 'leo@example.com' },
  'note.add': { text: 'Asked by phone for the winter list.' },
  'topic.save': { topic: 'news', name: 'News', description: 'What is new, once a month.' },
  'suppression.import': {
    suppressions: [
      { email: 'leo@example.com', reason: 'unsubscribed', at: '2026-03-01' },
      {
        sha256: 'a8b2ce1fe80d3a79e6e3f0f8ce4ed0c9b0c5b8f4f7d1d3b3f7b8a7f3d2a1c0e9',
        reason: 'bounce',
      },
    ],
  },
  'import.create': { file_name: 'subscribers.csv' },
  'import.confirm': {
    mapping: { Company: 'attributes.company' },
    tags: ['newsletter'],
    consent: { email: { source: 'sign-up page', text: 'Send me the newsletter once a month.' } },
  },
  'domain.state_volume': {
    domain: 'news.example.com',
    emails_per_day: 8_000,
    note: 'Two years with another service, complaints below 0.05 %.',
  },
  'segment.save': {
    name: 'Teams that pay',
    filter: { field: 'attributes.plan', op: 'in', value: ['pro', 'team'] },
    dry_run: true,
  },
  'segment.list': { limit: 20 },
  'segment.explain': {
    filter: {
      and: [
        { consent: 'email', is: 'subscribed' },
        { did_not: 'order', within: '90 days' },
      ],
    },
  },
  'feed.save': {
    name: 'Our blog',
    url: 'https://blog.example.com/feed.xml',
    times: ['mon 08:00'],
    content: {
      subject: 'New on the blog: {{ item.title }}',
      blocks: [
        { type: 'heading', text: 'New on the blog' },
        { type: 'feed', button: 'Read on' },
      ],
    },
  },
  'feed.list': { limit: 20 },
  'sequence.save': {
    name: 'Welcome series',
    enter: { on: 'consent.given' },
    steps: [
      { wait: '30 days', until: '09:00' },
      { split: [{ if: { did: 'order', since: 'entry' }, steps: [{ tag: 'customer' }] }] },
    ],
  },
  'sequence.list': { limit: 20 },
  'sequence.enrol': { filter: { tag: 'vip' } },
  'sequence.remove': { filter: { tag: 'vip' } },
  'form.list': { status: 'published', limit: 20 },
  'form.save': {
    name: 'Newsletter',
    status: 'published',
    fields: [
      { key: 'email', label: 'Email', type: 'email', required: true },
      { key: 'news', label: 'Yes, send me the newsletter', type: 'consent' },
    ],
    tags: ['newsletter'],
  },
  'form.submit': {
    fields: { email: 'ana@example.com' },
    source_url: 'https://example.com/newsletter',
  },
  'submission.list': { limit: 20 },
  'template.list': { limit: 20 },
  'template.gallery': { purpose: 'sale' },
  'template.convert': { html: '<h1>Autumn sale</h1><p>Hello *|FNAME|*</p>' },
  'template.save': {
    name: 'Welcome',
    subject: 'Welcome, {{ contact.name }}',
    html: '<p>Hello {{ contact.name }}, good to have you here.</p>',
  },
  'image.upload': {
    data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
    file_name: 'dot.png',
    alt: 'A dot',
  },
  'image.list': { limit: 20 },
  'template.preview': {
    subject: 'Welcome, {{ contact.name }}',
    html: '<p>Hello {{ contact.name }}, good to have you here.</p>',
  },
  'webhook.save': {
    url: 'https://example.com/hooks/crier',
    events: ['form.submitted', 'contact.created'],
    description: 'Our CRM',
  },
  'webhook.list': { limit: 20 },
  'webhook.rotate': { grace_period_seconds: 3600 },
  'email.send': {
    to: 'ana@example.com',
    subject: 'Your trial class',
    text: 'See you on Thursday at 18:30.',
  },
  'message.propose': {
    emails: [
      {
        to: 'ana@example.com',
        subject: 'Thank you for coming on Saturday',
        text: 'It was good to see you. The next class is on 12 December.',
      },
    ],
    kind: 'transactional',
  },
  'sms.send': { to: '+33 6 12 34 56 78', text: 'Your code is 482 913.' },
  'email.send_batch': {
    messages: [
      {
        to: 'ana@example.com',
        subject: 'Your trial class',
        text: 'See you on Thursday at 18:30.',
        metadata: { booking: '17' },
      },
      {
        to: 'mia@example.com',
        subject: 'Your trial class',
        text: 'See you on Friday at 18:30.',
        metadata: { booking: '18' },
      },
    ],
  },
  'sms.send_batch': {
    messages: [
      { to: '+33 6 12 34 56 78', text: 'Your class begins in an hour.' },
      { to: '+33 6 12 34 56 79', text: 'Your class begins in an hour.' },
    ],
  },
  'message.list': { limit: 20 },
  'message.reschedule': { send_at: '2026-11-30T09:00:00+01:00' },
  'reply.list': { open: true },
  'reply.decide': { decision: 'opt_out' },
  'campaign.generate': {
    channel: 'email',
    name: 'November news',
    content: {
      subject: 'New classes in November',
      html: '<p>Hello {{ contact.name | default: "there" }}, here is what is new.</p>',
    },
    audience: { tags: ['customer'] },
  },
  'campaign.list': { status: 'draft', limit: 20 },
  'campaign.save': { name: 'November news, second try' },
  'campaign.resend': { all: true },
}

/** Arguments of a valid call with the given ids. */
export function exampleInput(
  { name, input }: Pick<Operation, 'name' | 'input'>,
  ids: ExampleIds = {},
): Record<string, unknown> {
  const { properties = {}, required = [] } = input as unknown as Schema
  const needed = required.map((key): [string, unknown] => [
    key,
    exampleValue(properties[key] ?? {}, key, ids),
  ])
  return { ...Object.fromEntries(needed), ...examples[name] }
}

/** The alternative id to show if no path contains one. */
const byName: Record<string, readonly string[]> = {
  'webhook.deliveries': ['webhook_id'],
  'webhook.replay': ['webhook_id'],
}

/** The example for a call by the operation's name, which has no path. */
export function exampleCall(
  operation: Pick<Operation, 'name' | 'input'>,
  ids: ExampleIds = {},
): Record<string, unknown> {
  const { properties = {} } = operation.input as unknown as Schema
  const chosen = (byName[operation.name] ?? []).map((key): [string, unknown] => [
    key,
    exampleValue(properties[key] ?? {}, key, ids),
  ])
  return { ...Object.fromEntries(chosen), ...exampleInput(operation, ids) }
}
