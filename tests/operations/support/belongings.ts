/** A business with two of everything that has an id; one word marks each of its texts. */

import { createHash } from 'node:crypto'
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import { formatId, type Id, newId, parseId } from 'crier-server/core/ids.ts'
import { insertInboxMessage } from 'crier-server/core/inbox/mail-queries.ts'
import { newFileName } from 'crier-server/images/image.ts'
import { insertImage } from 'crier-server/images/queries.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Db } from 'crier-server/lib/db/types.ts'
import { hours, later, systemClock } from 'crier-server/lib/time/clock.ts'
import { placeEvents } from '../../support/businesses/fan-out.ts'
import { holdConfirmation } from '../../support/businesses/guarded-forms.ts'
import { feedReader } from '../../support/clients/feed-reader.ts'
import { keptReply } from '../../support/sms/replies.ts'
import { fillPool } from './campaigns.ts'
import { fillDeliveries } from './deliveries.ts'
import { addImport } from './imports.ts'
import type { Testbed } from './testbed.ts'

export interface Belongings {
  id: Id<'business'>
  /** The connection that made it all. */
  connection_id: string
  /** Occurs in every text of this business. */
  word: string
  business_id: string
  form_id: string
  contact_id: string
  submission_id: string
  /** A note on the contact. */
  note_id: string
  /** A confirmation that the form holds. */
  confirmation_id: string
  /** Two contacts that may be merged, and one to be erased. */
  merging_contact_id: string
  other_contact_id: string
  doomed_contact_id: string
  /** A merge that waits, which may already be cancelled. */
  removal_id: string
  /** Another, to be completed. */
  due_removal_id: string
  /** Proposed emails, two for a second page, and others to be cancelled. */
  batch_id: string
  doomed_batch_id: string
  event_id: string
  webhook_id: string
  /** Exists to be deleted. */
  doomed_webhook_id: string
  message_id: string
  mail_id: string
  /** A waiting message, which may already be cancelled. */
  scheduled_message_id: string
  /** A waiting message, whose time may move. */
  moved_message_id: string
  reply_id: string
  template_id: string
  /** Exists to be deleted. */
  doomed_template_id: string
  image_id: string
  /** Exists to be deleted. */
  doomed_image_id: string
  segment_id: string
  tagging_id: string
  /** Exists to be deleted. */
  doomed_segment_id: string
  feed_id: string
  /** A draft, to be started. */
  new_feed_id: string
  running_feed_id: string
  /** Exists to be deleted. */
  doomed_feed_id: string
  sequence_id: string
  /** Exists to be deleted. */
  doomed_sequence_id: string
  /** A draft, to be started. */
  new_sequence_id: string
  running_sequence_id: string
  /** Runs until it is stopped. */
  stopping_sequence_id: string
  campaign_id: string
  /** Compared with the first. */
  other_campaign_id: string
  import_id: string
  paused_import_id: string
  cancelled_import_id: string
  undone_import_id: string
  delivery_id: string
}

/** `campaigns`: the number of campaigns in each state that calls may use up. */
export async function addBelongings(
  testbed: Testbed,
  word: string,
  { campaigns }: { campaigns?: number } = {},
): Promise<Belongings> {
  const id = await testbed.newBusiness()
  const owner = await testbed.caller({ businesses: [id] })
  const { connection } = await owner.get<{ connection: { connection_id: string } }>('meta.me')
  const makeForm = () =>
    owner.get<{ form_id: string }>('form.save', {
      name: `${word} form`,
      status: 'published',
      fields: [
        { key: 'email', label: 'Email', type: 'email', required: true },
        { key: 'message', label: `${word} message`, type: 'text' },
      ],
    })
  await makeForm()
  const { form_id } = await makeForm()
  const makeTemplate = () =>
    owner.get<{ template_id: string }>('template.save', {
      name: `${word} template`,
      subject: `${word} subject`,
      html: `<p>${word} says {{ order.total }}</p>`,
    })
  const { template_id: doomed_template_id } = await makeTemplate()
  const { template_id } = await makeTemplate()
  // Stored as an upload leaves it, since each upload starts a process.
  const makeImage = async (name: string) => {
    const image = {
      id: newId('image'),
      file: newFileName(),
      kind: 'png' as const,
      name: `${word} ${name}.png`,
      alt: null,
      width: 4,
      height: 3,
      bytes: 100,
      createdAt: systemClock.now(),
      sha256: createHash('sha256').update(name).digest(),
    }
    await testbed.db.tx((tx) => insertImage(tx, id, image))
    return formatId('image', image.id)
  }
  const images = {
    image_id: await makeImage('picture'),
    doomed_image_id: await makeImage('doomed picture'),
  }
  const makeSegment = async (name: string) => {
    const segment = { name: `${word} ${name}`, filter: { tag: word } }
    return (await owner.get<{ segment_id: string }>('segment.save', segment)).segment_id
  }
  const tagging = await owner.get<{ tagging_id: string }>('contact.tag', {
    filter: { tag: 'nobody' },
    add: [word],
  })
  const segments = {
    tagging_id: tagging.tagging_id,
    segment_id: await makeSegment('segment'),
    doomed_segment_id: await makeSegment('doomed segment'),
  }
  const makeSequence = async (name: string) => {
    const sequence = {
      name: `${word} ${name}`,
      enter: { on: 'tag.added', tag: word },
      steps: [{ tag: `${word}-entered` }, { wait: '1 day' }, { tag: `${word}-later` }],
    }
    return (await owner.get<{ sequence_id: string }>('sequence.save', sequence)).sequence_id
  }
  const sequences = {
    sequence_id: await makeSequence('sequence'),
    doomed_sequence_id: await makeSequence('doomed sequence'),
    new_sequence_id: await makeSequence('new sequence'),
    running_sequence_id: await makeSequence('running sequence'),
    stopping_sequence_id: await makeSequence('stopping sequence'),
  }
  await runSequences(testbed.db, id, [
    sequences.running_sequence_id,
    sequences.stopping_sequence_id,
  ])
  const makeFeed = async (name: string) => {
    const feed = {
      name: `${word} ${name}`,
      url: 'https://blog.invalid/feed.xml',
      every: 'week',
      content: { subject: '{{ item.title }}', blocks: [{ type: 'feed' }] },
    }
    return (await owner.get<{ feed_id: string }>('feed.save', feed)).feed_id
  }
  const feeds = {
    feed_id: await makeFeed('feed'),
    new_feed_id: await makeFeed('new feed'),
    running_feed_id: await makeFeed('running feed'),
    doomed_feed_id: await makeFeed('doomed feed'),
  }
  await runFeeds(testbed.db, id, [feeds.running_feed_id])
  const submit = (email: string) =>
    owner.get<{ submission_id: string; contact_id: string }>('form.submit', {
      form_id,
      fields: { email, message: `${word} says` },
    })
  await submit(`${word}-2@example.com`)
  await submit(`${word}@example.com`)
  const submitted = await submit(`${word}@example.com`)
  await owner.get('contact.upsert', {
    email: `${word}@example.com`,
    phone: '+33612345678',
    external_id: `${word}-1`,
  })
  const makeContact = async (name: string) => {
    const email = `${word}-${name}@example.com`
    return (await owner.get<{ contact_id: string }>('contact.upsert', { email })).contact_id
  }
  const note = { contact_id: submitted.contact_id, text: `${word} wrote a note` }
  const { note_id } = await owner.get<{ note_id: string }>('note.add', note)
  const contacts = {
    merging_contact_id: await makeContact('merging'),
    other_contact_id: await makeContact('other'),
    doomed_contact_id: await makeContact('doomed'),
  }
  const orderMerge = async (name: string) => {
    const { held } = await owner.get<{ held: { removal_id: string } }>('contact.merge', {
      contact_id: await makeContact(`${name}-staying`),
      other_contact_id: await makeContact(`${name}-leaving`),
    })
    return held.removal_id
  }
  const removals = {
    removal_id: await orderMerge('one'),
    due_removal_id: await orderMerge('two'),
  }
  const propose = async () => {
    const email = {
      contact_id: submitted.contact_id,
      subject: `${word} idea`,
      text: `${word} text`,
    }
    const emails = [email, { ...email, subject: `${word} second idea` }]
    const input = { emails, kind: 'transactional' }
    return (await owner.get<{ batch_id: string }>('message.propose', input)).batch_id
  }
  const batches = { batch_id: await propose(), doomed_batch_id: await propose() }
  const hold = async (contact: string) => {
    const formId = parseId('form', form_id) as Id<'form'>
    const contactId = parseId('contact', contact) as Id<'contact'>
    const held = await holdConfirmation(testbed.db, id, { formId, contactId, word })
    return formatId('confirmation', held)
  }
  await hold(contacts.other_contact_id)
  const confirmation_id = await hold(submitted.contact_id)
  const makeWebhook = () =>
    owner.get<{ webhook_id: string }>('webhook.save', {
      url: `https://1.1.1.1/${word}`,
      events: ['campaign.deployed'],
      description: `${word} hook`,
    })
  const { webhook_id } = await makeWebhook()
  const { webhook_id: doomed_webhook_id } = await makeWebhook()
  const send = async () => {
    const { message_id } = await owner.get<{ message_id: string }>('email.send', {
      to: `${word}@example.com`,
      subject: `${word} subject`,
      text: `${word} text`,
      allow_duplicate: true,
    })
    return message_id
  }
  await send()
  const message_id = await send()
  const schedule = async (subject: string) => {
    const { message_id } = await owner.get<{ message_id: string }>('email.send', {
      to: `${word}@example.com`,
      subject: `${word} ${subject}`,
      text: `${word} text`,
      send_at: new Date(Date.now() + 10 * 86_400_000).toISOString(),
    })
    return message_id
  }
  const scheduled_message_id = await schedule('later')
  const moved_message_id = await schedule('moved')
  for (const name of ['no', 'never']) {
    await owner.get('contact.suppress', { email: `${word}-${name}@example.com` })
  }
  const makeReply = () => keptReply(testbed.db, id, `${word} says stop it`)
  await makeReply()
  await owner.get('domain.add', { domain: `${word}.example.com` })
  const warm = `${word}-warm.example.com`
  const stated = `${word}-stated.example.com`
  for (const name of [`${word}-2.example.com`, `${word}-gone.example.com`, warm, stated]) {
    await copyDomain(testbed.db, id, { from: `${word}.example.com`, name })
  }
  await testbed.db.run(sql`update domains set status = 'verified' where name = ${warm}`)
  await testbed.db.run(sql`
    with of_domain as (
      update domains set status = 'verified', volume_stated = 2000, volume_stated_at = now()
      where business_id = ${id} and name = ${stated} returning id, name
    )
    insert into domain_claims (name, domain_id, degraded, claimed_at)
    select name, id, false, now() from of_domain
    on conflict (name) do update set domain_id = excluded.domain_id
  `)
  const makeCampaign = () =>
    owner.get<{ campaign_id: string }>('campaign.generate', {
      channel: 'email',
      content: { subject: `${word} campaign`, html: `<p>${word} says</p>` },
    })
  const { campaign_id: other_campaign_id } = await makeCampaign()
  const { campaign_id } = await makeCampaign()
  const postal = { key: 'postal_address', value: `1 ${word} Street`, now: systemClock.now() }
  await setBusiness(testbed.db, id, postal)
  const consent = { email: { status: 'subscribed', source: `${word} page` } }
  await owner.get('contact.upsert', { email: `${word}-reader@example.com`, consent })
  const draft = parseId('campaign', campaign_id)
  if (draft) await fillPool(testbed.db, id, draft, campaigns)
  await placeEvents({ db: testbed.db, clock: systemClock })
  const feed = feedReader(owner)
  // A worker may have been faster, and not have finished yet.
  await feed.readUntil(() => feed.events.length > 0, 60_000)
  const event_id = feed.events[0]?.id ?? ''
  const given = { businessId: id, webhookId: webhook_id, eventId: event_id }
  await giveUp(testbed.db, given, systemClock.now())
  const delivery_id = await giveUp(testbed.db, given, later(systemClock.now(), hours(21)))
  await fillDeliveries(testbed.db, given, { count: 120, now: systemClock.now() })
  const imports = {
    import_id: await addImport(testbed.db, id, { word, state: 'done' }),
    paused_import_id: await addImport(testbed.db, id, { word, state: 'paused' }),
    cancelled_import_id: await addImport(testbed.db, id, { word, state: 'cancelled' }),
    undone_import_id: await addImport(testbed.db, id, { word, state: 'undone' }),
  }
  const business_id = formatId('business', id)
  const webhooks = { webhook_id, doomed_webhook_id, delivery_id }
  // Two, for a second page.
  await makeMail(testbed.db, message_id, word)
  const mail_id = await makeMail(testbed.db, message_id, word)
  const made = {
    form_id,
    note_id,
    event_id,
    message_id,
    mail_id,
    scheduled_message_id,
    moved_message_id,
    confirmation_id,
    reply_id: await makeReply(),
    template_id,
    doomed_template_id,
    campaign_id,
    other_campaign_id,
  }
  return {
    id,
    word,
    business_id,
    connection_id: connection.connection_id,
    ...made,
    ...segments,
    ...sequences,
    ...feeds,
    ...images,
    ...webhooks,
    ...contacts,
    ...removals,
    ...batches,
    ...submitted,
    ...imports,
  }
}

/** A mail of the message in the built-in inbox, whether or not a worker sends it. */
async function makeMail(db: Db, messageId: string, word: string): Promise<string> {
  const id = newId('mail')
  await insertInboxMessage(db, {
    id,
    messageId: parseId('message', messageId) ?? null,
    to: `${word}@example.com`,
    from: 'shop@example.com',
    subject: `${word} subject`,
    text: `${word} text`,
    html: null,
    source: Buffer.from(`Subject: ${word} subject\r\n\r\n${word} text`),
    now: systemClock.now(),
  })
  return formatId('mail', id)
}

/** Feeds as a person's start leaves them, without a job that would look at them. */
export async function runFeeds(
  db: Db,
  businessId: Id<'business'>,
  feedIds: readonly string[],
): Promise<void> {
  for (const text of feedIds) {
    await db.run(sql`
      update feeds set status = 'running', issue_at = updated_at, started = json_build_object(
        'version', version, 'definition', definition, 'segment', null, 'hosts', '[]'::json,
        'from', '', 'look', '', 'bytes', 0, 'userId', id, 'decidedBy', id, 'connectionId', null,
        'callId', null, 'people', null, 'endsAt', null)
      where business_id = ${businessId} and id = ${parseId('feed', text) ?? null}
    `)
  }
}

/** Sequences as a person's start leaves them. */
export async function runSequences(
  db: Db,
  businessId: Id<'business'>,
  sequenceIds: readonly string[],
): Promise<void> {
  for (const text of sequenceIds) {
    const id = parseId('sequence', text)
    await db.run(sql`
      with started as (
        update sequences set status = 'running', running_version = version, is_approved = true
        where business_id = ${businessId} and id = ${id} returning *
      )
      insert into sequence_versions (business_id, sequence_id, version, definition, templates,
        started_at)
      select business_id, id, version, definition, '{}', updated_at from started
    `)
  }
}

/** A domain with another's keys, since making keys is most of the work of adding one. */
async function copyDomain(
  db: Db,
  businessId: Id<'business'>,
  { from, name }: { from: string; name: string },
): Promise<void> {
  const id = newId('domain')
  await db.run(sql`
    with original as (
      select * from domains where business_id = ${businessId} and name = ${from}
    ), copy as (
      insert into domains
      select made.* from original,
        jsonb_populate_record(
          null::domains,
          to_jsonb(original) || jsonb_build_object('id', ${id}::text, 'name', ${name}::text)
        ) made
    )
    insert into domain_keys
    select made.* from domain_keys key, original,
      jsonb_populate_record(
        null::domain_keys,
        to_jsonb(key) || jsonb_build_object('domain_id', ${id}::text)
      ) made
    where key.business_id = original.business_id and key.domain_id = original.id
  `)
}

interface FailedDelivery {
  businessId: Id<'business'>
  webhookId: string
  eventId: string
}

/** A delivery that failed for good, as after days of attempts. */
async function giveUp(
  db: Db,
  { businessId, webhookId, eventId }: FailedDelivery,
  now: Date,
): Promise<string> {
  const id = newId('delivery')
  await db.run(sql`
    with attempt as (
      insert into webhook_attempts (business_id, id, webhook_id, event_id, event_type, event_at,
        attempt, created_at, begun_at, ended_at, outcome, url, status, failure)
      select business_id, ${id}, ${parseId('webhook', webhookId)}, id, type, created_at, 7, ${now},
        ${now}, ${now}, 'failed', 'https://1.1.1.1/', 500, 'status'
      from events where business_id = ${businessId} and id = ${parseId('event', eventId)}
      returning *
    )
    insert into dead_letters (business_id, webhook_id, id, event_id, event_type, event_at,
      attempts, status, failure, failed_at)
    select business_id, webhook_id, id, event_id, event_type, event_at, attempt, status, failure,
      ended_at
    from attempt
  `)
  return formatId('delivery', id)
}
