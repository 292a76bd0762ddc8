/**
 * Example answers of operations. What the names of fields alone decide may contradict itself, such as
 * a pause that answers `draft`; here each operation answers as when all went well.
 */

import type { Operation } from '../../core/operation.ts'
import type { ExampleIds } from './ids.ts'
import { moment } from './texts.ts'
import { exampleValue, type Schema } from './values.ts'

/** Values by path; `a[].b` is a field of each entry. Null empties a field, or leaves it out. */
type Values = Readonly<Record<string, unknown>>

const sent: Values = {
  status: 'completed',
  possible: ['campaign.copy'],
  deployed_at: moment,
  completed_at: moment,
}
const under = (list: string, values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([path, value]) => [`${list}[].${path}`, value]))

const runningSequence: Values = {
  status: 'running',
  possible: ['sequence.pause', 'sequence.stop'],
  running_version: 1,
  start_waits: false,
}
const runningFeed: Values = { status: 'running', possible: ['feed.pause'], start_waits: false }
const approved: Values = { approval_url: null, approval_reason: null, mandate: null }

const fromEvidence: Values = Object.fromEntries(
  ['email', 'sms', 'tracking'].map((subject) => [
    `consent.${subject}.history[].action`,
    'subscribed',
  ]),
)
const contact: Values = { ...fromEvidence, suppressed: [] }
const mandate = (at: string): Values => ({
  [`${at}.paused`]: false,
  [`${at}.paused_at`]: null,
  [`${at}.hours`]: { from: '09:00', to: '19:00' },
})
const finished: Values = {
  'progress.percent': 100,
  'progress.seconds_left': 0,
  'result.refused': 0,
  'result.left_out': 0,
  'result.stayed_unsubscribed': 0,
  'found.refusals': [],
  'found.left_out': [],
  'found.addresses': null,
  addresses: null,
  doubtful: [],
}
const unstarted: Values = { ...finished, result: null, undo_until: null, finished_at: null }
const waiting: Values = {
  'past_volume.approved_per_day': null,
  'past_volume.answer': null,
  'past_volume.decided_at': null,
}
const verified: Values = {
  ...waiting,
  'records[].remedy': null,
  'warm_up.providers[].held': null,
}
const gates: Values = { 'gates[].findings': [], 'gates[].remedy': null, 'gates[].fix': null }

const answers: Readonly<Record<string, Values>> = {
  'business.list': mandate('businesses[].mandate'),
  'business.save': { warnings: [] },
  'brand.get': { name: 'Fennoway Yoga', 'contrast[].ratio': 6.7, 'contrast[].mended': null },
  'brand.set': { name: 'Fennoway Yoga', 'contrast[].ratio': 6.7, 'contrast[].mended': null },
  'brand.read_site': { url: 'https://shop.example', name: 'Fennoway Yoga' },
  'meta.find': {
    'found[].name': 'contact.merge',
    'found[].title': 'Merge two contacts',
    'found[].summary': 'Makes one contact of two that are the same person.',
    'found[].scope': 'audience:write',
    'found[].read_only': false,
    'guides[].title': 'Connected apps',
    'guides[].url': 'https://api.example.com/docs/help/connections',
  },
  'mandate.list': mandate('mandates[]'),
  'removal.list': {
    'removals[].operation': 'contact.erase',
    'removals[].other_contact': null,
    'removals[].domain': null,
    url: 'https://app.example.com/b/north-yoga/connections',
  },
  'removal.cancel': { outcome: 'cancelled' },
  'message.propose': { refused: [] },
  'proposal.list': {
    'batches[].approved': 0,
    'batches[].sent': 0,
    'batches[].refused': 0,
    'batches[].failed': 0,
    'batches[].cancelled': 0,
  },
  'proposal.get': {
    'proposals[].reason': null,
    'proposals[].message_id': null,
    'proposals[].decided_at': null,
  },
  'contact.import': { updated: 0, unchanged: 0, refused: 0, stayed_unsubscribed: 0, refusals: [] },
  'contact.track': { repeated: 0, refused: 0, refusals: [] },
  'contact.tag': { state: 'done', refused: 0 },
  'contact.get': contact,
  'contact.get_by_email': contact,
  'contact.get_by_external_id': contact,
  'contact.merge': { held: null },
  'contact.erase': { held: null },
  'contact.suppress': { 'suppressed[].reason': 'manual' },
  'suppression.import': { refused: 0, hashed_contacts: 0, refusals: [] },
  'topic.save': {
    archived: false,
    'translations[].name': 'أخبار',
    'translations[].description': 'جديدنا، مرة في الشهر.',
  },
  'topic.list': {
    'topics[].archived': false,
    'topics[].translations[].name': 'أخبار',
    'topics[].translations[].description': 'جديدنا، مرة في الشهر.',
  },
  'import.create': {
    state: 'awaiting_file',
    bytes: null,
    progress: null,
    text: null,
    found: null,
    choices: null,
    result: null,
    undo_until: null,
    finished_at: null,
    columns: null,
    rows: null,
    doubtful: null,
    addresses: null,
  },
  'import.get': finished,
  'import.confirm': { ...unstarted, state: 'running' },
  'import.list': under('imports', finished),
  'import.pause': { ...unstarted, state: 'paused' },
  'import.cancel': { ...unstarted, state: 'cancelled', finished_at: moment },
  'import.undo': { ...finished, state: 'undoing', undo_until: null },
  'export.create': { text: null },
  'contact.export': { url: 'https://app.example.com/files/8f14e45f', file_name: 'ana.json' },
  'segment.save': { 'preview.at_least': false, 'preview.warnings': [], 'preview.spellings': [] },
  'segment.get': { at_least: false },
  'form.list': under('forms', { status: 'published', 'fields[].options': null }),
  'form.get': { status: 'published', 'fields[].options': null },
  'form.save': { warnings: [] },
  'form.release': { left: 0 },
  'form.discard': { left: 0 },
  'template.save': { warnings: [] },
  'template.preview': { warnings: [], segments: null },
  'template.convert': {
    unknown_fields: [],
    kept_as_html: 0,
    removed: 0,
    pictures_lost: 0,
    blocks_lost: 0,
  },
  'image.upload': { url: 'https://app.example.com/images/0f1e2d3c4b5a69788796a5b4c3d2e1f0.png' },
  'image.list': {
    'images[].url': 'https://app.example.com/images/0f1e2d3c4b5a69788796a5b4c3d2e1f0.png',
  },
  'webhook.save': { replay: null },
  'webhook.list': { 'webhooks[].replay': null },
  'webhook.get': { replay: null },
  'webhook.failed': {
    'failed[].last_error.code': 'internal',
    'failed[].last_error.error': 'internal',
    'failed[].last_error.message': 'The receiver answered 500.',
  },
  'webhook.deliveries': { 'deliveries[].cause': null },
  'message.reschedule': { status: 'scheduled' },
  'message.cancel': { status: 'cancelled' },
  'reply.list': { 'replies[].text': 'Please stop sending these.' },
  'reply.decide': { review: 'opted_out' },
  'campaign.generate': { warnings: [], feed: null },
  'campaign.save': { warnings: [], feed: null },
  'campaign.list': under('campaigns', { ...sent, feed: null }),
  'campaign.get': {
    ...sent,
    feed: null,
    recipients_deleted_at: null,
    waits: null,
    'providers[].held': null,
    'providers[].refusals': [],
  },
  'campaign.progress': sent,
  'campaign.preview': { feed: null, held: 0, ...gates },
  'campaign.deploy': { ...approved, status: 'deployed' },
  'campaign.pause': {
    status: 'paused',
    possible: ['campaign.resume', 'campaign.cancel'],
    pause_reason: 'requested',
    deployed_at: moment,
    recipients: 2,
    feed: null,
  },
  'campaign.resume': {
    status: 'deployed',
    possible: ['campaign.pause'],
    deployed_at: moment,
    feed: null,
  },
  'campaign.cancel': { status: 'cancelled', possible: ['campaign.copy'], feed: null },
  'campaign.unschedule': { feed: null },
  'campaign.copy': { feed: null },
  'campaign.resend': { refused: [] },
  'campaign.why': {
    'recipients[].reason': null,
    'recipients[].clause': null,
    'evidence.suppression': null,
  },
  'report.growth': { from: '2026-11-01', until: '2026-12-01' },
  'report.campaign': {
    name: 'November news',
    status: 'completed',
    'providers[].held': null,
    'providers[].refusals': [],
  },
  'report.compare': under('campaigns', { status: 'completed', deployed_at: moment }),
  'sequence.save': { start_waits: false },
  'sequence.list': under('sequences', runningSequence),
  'sequence.get': runningSequence,
  'sequence.preview': { start_waits: false, ...gates },
  'sequence.start': { ...approved, ...runningSequence },
  'sequence.pause': {
    ...runningSequence,
    status: 'paused',
    possible: ['sequence.resume', 'sequence.stop'],
    pause_reason: 'requested',
  },
  'sequence.resume': runningSequence,
  'sequence.stop': {
    status: 'stopped',
    possible: ['sequence.start', 'sequence.delete'],
    start_waits: false,
  },
  'sequence.enrol': { left_out: 0 },
  'sequence.copy': { start_waits: false },
  'sequence.why': {
    'entries[].reason': null,
    'entries[].ended_at': null,
    'entries[].state': 'inside',
    'entries[].steps[].reason': null,
  },
  'feed.save': { start_waits: false, started_version: null, next_issue_at: null, issues: 0 },
  'feed.list': under('feeds', runningFeed),
  'feed.get': { ...runningFeed, 'sent[].status': 'completed' },
  'feed.preview': {
    start_waits: false,
    started_version: null,
    next_issue_at: null,
    issues: 0,
    ...gates,
  },
  'feed.start': { ...approved, ...runningFeed },
  'feed.pause': {
    ...runningFeed,
    status: 'paused',
    possible: ['feed.resume'],
    pause_reason: 'requested',
  },
  'feed.resume': runningFeed,
  'domain.add': verified,
  'domain.status': under('domains', verified),
  'domain.state_volume': waiting,
  'domain.remove': { held: null },
}

/** The answer of an operation as the schema has it: that of its tool, or that over REST. */
export function exampleAnswer(
  { name }: Pick<Operation, 'name'>,
  schema: Schema,
  ids: ExampleIds = {},
): unknown {
  const answer = exampleValue(schema, name.split('.')[0], ids)
  for (const [path, value] of Object.entries(answers[name] ?? {})) {
    put(answer, schema, path.split('.'), value)
  }
  return answer
}

/** Puts the value at the path, where the schema has it. */
function put(example: unknown, schema: Schema, path: readonly string[], value: unknown): void {
  const [step = '', ...rest] = path
  const key = step.replace('[]', '')
  const { [key]: field, untrusted } = withoutNull(schema).properties ?? {}
  const object = example as Record<string, unknown> | null
  // Results of tools have what strangers may have typed in an object of its own.
  if (!field && untrusted && object) put(object['untrusted'], untrusted, path, value)
  if (!field || !object) return
  if (rest.length === 0) {
    const isRequired = withoutNull(schema).required?.includes(key)
    if (value !== null || takesNull(field)) object[key] = value
    else if (!isRequired) delete object[key]
    else if (field.type === 'array') object[key] = []
    return
  }
  const inner = withoutNull(field)
  const isList = step.endsWith('[]')
  const entries = (isList ? (object[key] ?? []) : [object[key]]) as unknown[]
  for (const entry of entries) put(entry, isList ? (inner.items ?? {}) : inner, rest, value)
}

function withoutNull(schema: Schema): Schema {
  return schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
}

const takesNull = ({ anyOf = [] }: Schema) => anyOf.some(({ type }) => type === 'null')
