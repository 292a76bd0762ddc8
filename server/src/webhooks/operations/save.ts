import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, newId, parseId } from '../../core/ids.ts'
import { type BusinessContext, operation } from '../../core/operation.ts'
import { checkTakesDataOut } from '../../core/taking-out.ts'
import { recordAudit } from '../../events/audit.ts'
import { type EventSelector, eventSelectors, hasField, typesOf } from '../../events/catalog.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { isThisMachine, type OutboundGuard } from '../../lib/http-client/outbound-guard.ts'
import { pauseLane, resumeLane, steerLane } from '../../lib/jobs/lanes.ts'
import { Type } from '../../lib/schema/schema.ts'
import { overLimit, reserve } from '../../usage/reserve.ts'
import { fieldOf } from '../delivery/filters.ts'
import { laneOf } from '../model/delivery.ts'
import { insertWebhook, lockWebhook, updateWebhook } from '../model/queries.ts'
import { checkEvents, holderOf, namesFor, type Rights, withoutRight } from '../model/rights.ts'
import { insertSecret } from '../model/secret-queries.ts'
import { newSecret, openSecret, type Sealer } from '../model/secrets.ts'
import {
  filterFields,
  noSuchWebhook,
  viewOf,
  type WebhookView,
  webhookIdInput,
  webhookView,
} from '../model/view.ts'
import {
  type EventFilter,
  type Webhook,
  type WebhookStatus,
  webhookLimits,
  webhookStatuses,
} from '../model/webhook.ts'
import { byWebhook } from './find-business.ts'

export interface SaveParts {
  vault: Sealer
  guard: Pick<OutboundGuard, 'admit'>
  rights: Rights
}

/** The fields that both responses have. */
const shared = ['webhook_id', 'url', 'events', 'created_at'] as const

export function webhookSave(parts: SaveParts) {
  return operation({
    name: 'webhook.save',
    title: 'Save a webhook',
    area: 'webhooks',
    summary:
      'Have events sent to a URL (without webhook_id; shows its signing secret this once), or change, pause or resume a webhook. It carries what your scopes cover, while your connection lasts.',
    reach: 'business',
    scope: 'provisioning:write',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    rest: ['POST /v1/webhooks', 'PATCH /v1/webhooks/:webhook_id'],
    status: 201,
    locate: { webhook_id: byWebhook },
    input: {
      webhook_id: Type.Optional(webhookIdInput),
      url: Type.Optional(
        Type.String({
          maxLength: webhookLimits.urlLength,
          pattern: '^\\S+$',
          description: 'https://…',
        }),
      ),
      events: Type.Optional(
        Type.Array(Type.Enum(eventSelectors), {
          minItems: 1,
          uniqueItems: true,
          description: 'Types as meta.capabilities lists them; message.* is all of them.',
        }),
      ),
      filter: Type.Optional(
        Type.Object(filterFields.properties, {
          description: 'Only events with such data; {} for all. Events that never have it pass.',
        }),
      ),
      description: Type.Optional(Type.String({ maxLength: webhookLimits.descriptionLength })),
      status: Type.Optional(
        Type.Enum(webhookStatuses, { description: 'Paused holds deliveries.' }),
      ),
    },
    // A new subscription is returned with the contract's five fields, an existing one as it is
    // read.
    output: Type.Object({
      ...Type.Pick(webhookView, shared).properties,
      ...Type.Partial(Type.Omit(webhookView, shared)).properties,
      signing_secret: Type.Optional(Type.String()),
    }),

    async run(context, { webhook_id, url, events, filter, description, status }) {
      if (url !== undefined) {
        const refused = await parts.guard.admit(url)
        if (refused) throw isThisMachine(url) ? leadsHere(url, refused) : atUrl(refused)
      }
      if (url !== undefined && context.principal.isTest && !isThisMachine(url)) throw beyondTest()
      if (url !== undefined) await checkHost(context, url, events)
      const changes: Changes = {
        ...(url !== undefined && { url }),
        ...(events !== undefined && { events }),
        ...(filter !== undefined && { filter: await readFilter(context, filter) }),
        ...(description !== undefined && { description: description || null }),
        ...(status !== undefined && { status }),
      }
      if (webhook_id !== undefined) {
        const id = parseId('webhook', webhook_id)
        if (id) return changeWebhook(parts, context, { id, changes })
        throw noSuchWebhook(webhook_id)
      }
      const added = await addWebhook(parts.vault, context, changes)
      const { id, version, sealed, ...made } = added
      const secret = { webhookId: id, version, sealed: Buffer.from(sealed, 'base64') }
      return {
        webhook_id: formatId('webhook', id),
        ...made,
        signing_secret: openSecret(parts.vault, secret),
      }
    },
  })
}

/**
 * At the tool endpoint an address at a new host needs the permission to take data out. Missing
 * scopes are told first, since an assistant requests those by itself.
 */
async function checkHost(
  context: BusinessContext,
  url: string,
  events: readonly EventSelector[] = [],
): Promise<void> {
  const { db, business, isToolCall, principal } = context
  if (!isToolCall || !principal.keepsDataIn) return
  const { host } = new URL(url)
  const urls = await urlsOfWebhooks(db, business.id)
  if (urls.some((text) => new URL(text).host === host)) return
  const beyond = checkEvents(events, principal.scopes)
  if (beyond) throw beyond
  const action = `A webhook to the new host ${host}`
  checkTakesDataOut(context, { action, page: '/webhooks', field: 'url' })
}

/** Whether no webhook of the business leads to this host yet: owners are told of it. */
async function leadsToNewHost(db: Db, businessId: Id<'business'>, url: string): Promise<boolean> {
  const { host } = new URL(url)
  const urls = await urlsOfWebhooks(db, businessId)
  return urls.every((text) => new URL(text).host !== host)
}

async function urlsOfWebhooks(db: Db, businessId: Id<'business'>): Promise<string[]> {
  const rows = await db.all<{ url: string }>(sql`
    select url from webhooks where business_id = ${businessId}
  `)
  return rows.map(({ url }) => url)
}

/** What test mode does opens no socket beyond this machine. */
function beyondTest(): Refusal {
  const text =
    'In test mode a webhook leads to this machine, such as http://localhost:3000/webhooks. Elsewhere read the events with meta.changes, or have them forwarded by crier webhooks listen.'
  return refuse('invalid_request', text, {
    field: 'url',
    data: { reason: 'test_key_webhook' },
    fix: { tool: 'meta.changes', arguments: {} },
  })
}

function atUrl({ code, message, details }: Refusal): Refusal {
  return refuse(code, message, { ...details, field: 'url' })
}

const webProtocols = new Set(['http:', 'https:'])

function leadsHere(text: string, refused: Refusal): Refusal {
  const { hostname, port, protocol, username, password } = new URL(text)
  // What is wrong wherever the URL leads is said first.
  if (username || password || !webProtocols.has(protocol)) return atUrl(refused)
  const rule = `${isIPv6(hostname) ? '::1/128' : '127.0.0.1/32'}:${port || (protocol === 'http:' ? 80 : 443)}`
  const message = `This URL leads to the machine that the service runs on, and the service does not call its own machine. To see events there while developing, run crier webhooks listen, which passes them on to a local URL. Whoever runs the service can allow the address with OUTBOUND_ALLOW=${rule}.`
  return refuse('invalid_request', message, { field: 'url', data: { reason: 'own_machine' } })
}

const isIPv6 = (hostname: string) => hostname.startsWith('[')

/**
 * A new subscription. Its secret stays sealed, because responses are stored with idempotency keys.
 */
interface Added {
  id: Id<'webhook'>
  url: string
  events: Changes['events'] & {}
  created_at: string
  version: number
  sealed: string
}

async function addWebhook(
  vault: Sealer,
  { business, principal, now, write, origin }: BusinessContext,
  { url, events, filter = null, description = null, status = 'active' }: Changes,
): Promise<Added> {
  if (url === undefined) throw missingField('url')
  if (events === undefined) throw missingField('events')
  if (status === 'paused') {
    const text = 'A new webhook is active. Leave status out, and pause it afterwards.'
    throw refuse('invalid_request', text, {
      field: 'status',
      data: { reason: 'new_webhook_active' },
    })
  }
  const beyond = checkEvents(events, principal.scopes)
  if (beyond) throw beyond
  checkFilter(events, filter)
  return write(async (tx) => {
    const taken = { businessId: business.id, metric: 'webhooks' as const, amount: 1 }
    const [granted] = await reserve(tx, [{ ...taken, tier: business.tier, partial: false }], now)
    if (!granted) throw overLimit('webhooks', business.tier)
    const holder = holderOf(principal)
    const webhook = { id: newId('webhook'), url, events, filter, description, holder }
    const isNewHost = await leadsToNewHost(tx, business.id, url)
    await insertWebhook(tx, business.id, webhook, now)
    const secret = newSecret(vault, { webhookId: webhook.id, version: 1 })
    await insertSecret(tx, business.id, secret, now)
    const subject = formatId('webhook', webhook.id)
    const entry = { businessId: business.id, action: 'webhook.save', subject }
    const details = {
      events: events.join(' '),
      ...(isNewHost && { new_host: new URL(url).host }),
    }
    await recordAudit(tx, [{ ...entry, details, origin }], now)
    const { id } = webhook
    const sealed = secret.sealed.toString('base64')
    return { id, url, events, created_at: now.toISOString(), version: secret.version, sealed }
  })
}

function missingField(field: string): Refusal {
  const text = `${field} is missing: a new webhook needs it. To change one, give its webhook_id.`
  return refuse('invalid_request', text, { field, data: { reason: 'missing' } })
}

/** The fields of the call. An existing subscription keeps the fields that the call leaves out. */
interface Changes {
  url?: string
  events?: EventSelector[]
  filter?: EventFilter | null
  description?: string | null
  status?: WebhookStatus
}

/**
 * A caller who changes the destination, or resumes the subscription, becomes the holder of its
 * rights. Otherwise a caller who may not see contacts could redirect another holder's events to
 * themselves.
 */
function changeWebhook(
  { rights }: { rights: Rights },
  { business, principal, now, write, origin }: BusinessContext,
  { id, changes }: { id: Id<'webhook'>; changes: Changes },
): Promise<WebhookView> {
  return write(async (tx) => {
    const before = await lockWebhook(tx, business.id, id)
    if (!before) throw noSuchWebhook(formatId('webhook', id))
    const stopped = (await withoutRight(rights, tx, business.id, [before])).has(before)
    const { status, ...fields } = changes
    const after: Webhook = { ...before, ...fields, updatedAt: now }
    checkFilter(after.events, after.filter)
    if (status === 'paused') after.pausedBecause ??= stopped ? 'connection_ended' : 'asked'
    if (status === 'active') after.pausedBecause = null
    const isMoved = after.url !== before.url
    const resumes = status === 'active' && (stopped || before.pausedBecause !== null)
    if (isMoved || resumes || addsTo(before.events, after.events)) {
      const beyond = checkEvents(after.events, principal.scopes)
      if (beyond) throw beyond
      after.holder = holderOf(principal)
    } else if (stopped) after.pausedBecause ??= 'connection_ended'
    if (isMoved) after.failingSince = null
    const isNewHost = isMoved && (await leadsToNewHost(tx, business.id, after.url))
    await updateWebhook(tx, business.id, after, now)
    await steer(tx, business.id, { before, after }, now)
    const subject = formatId('webhook', id)
    const details = {
      changed: Object.keys(changes).join(' '),
      ...(isNewHost && { new_host: new URL(after.url).host }),
    }
    const entry = { businessId: business.id, action: 'webhook.save', subject, details, origin }
    await recordAudit(tx, [entry], now)
    const names = await namesFor(rights, tx, business.id, { webhooks: [after], principal })
    return viewOf(business.id, after, true, names.get(after.holder))
  })
}

function addsTo(before: readonly EventSelector[], after: readonly EventSelector[]): boolean {
  const all = new Set<string>([...before, ...typesOf(before)])
  return after.some((name) => !all.has(name))
}

/** The filter of the call; null if it lets everything pass. */
async function readFilter(
  { db, business }: BusinessContext,
  { tags, template_id }: { tags?: string[]; template_id?: string },
): Promise<EventFilter | null> {
  const filter: EventFilter = { ...(tags && tags.length > 0 && { tags }) }
  if (template_id !== undefined) {
    const id = parseId('template', template_id)
    const template = await db.maybe(sql`
      select 1 from templates where business_id = ${business.id} and id = ${id ?? null}
        and deleted_at is null
    `)
    if (!id || !template) throw noSuchTemplate(template_id)
    filter.template = id
  }
  return Object.keys(filter).length === 0 ? null : filter
}

function noSuchTemplate(id: string): Refusal {
  return refuse('not_found', `This business has no template ${id}.`, {
    field: 'filter',
    fix: { tool: 'template.list', arguments: {} },
    data: { reason: 'template_missing' },
  })
}

/** Refuses a filter that says nothing about any type that the webhook names. */
function checkFilter(events: readonly EventSelector[], filter: EventFilter | null): void {
  const types = typesOf(events)
  for (const part of Object.keys(filter ?? {}) as (keyof EventFilter)[]) {
    if (types.some((type) => hasField(type, fieldOf[part]))) continue
    const text = `No event of this webhook has ${part === 'tags' ? 'tags' : 'a template'}. Leave the filter out, or name events that have.`
    throw refuse('invalid_request', text, {
      field: 'filter',
      data: { reason: 'filter_without_events' },
    })
  }
}

/**
 * A paused subscription's lane is suspended. With a new address, the lane starts at full capacity.
 */
async function steer(
  tx: Tx,
  businessId: Id<'business'>,
  { before, after }: { before: Webhook; after: Webhook },
  now: Date,
): Promise<void> {
  const lane = laneOf({ businessId, webhookId: after.id })
  if (after.url !== before.url) {
    await steerLane(tx, lane, { capacity: null, priority: 'normal' }, now)
  }
  if (after.pausedBecause !== null) await pauseLane(tx, lane, now)
  else await resumeLane(tx, lane, now)
}
