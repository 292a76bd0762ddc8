/** Every field that a stranger can fill, and how a text comes into each of them. */
import assert from 'node:assert/strict'
import { linkHash } from 'crier-server/campaigns/results/links.ts'
import { type Id, newId, parseId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Belongings } from '../operations/support/belongings.ts'
import type { OwnTestbed } from '../operations/support/testbed.ts'
import { placeEvents } from '../support/businesses/fan-out.ts'
import type { ToolCaller } from '../support/clients/tool-caller.ts'
import { httpServer } from '../support/network/remote-server.ts'
import { keptReply } from '../support/sms/replies.ts'
import { eventually } from '../support/time/eventually.ts'

export interface StrangersPlace {
  testbed: OwnTestbed
  own: Pick<Belongings, 'id' | 'message_id' | 'delivery_id' | 'feed_id'>
  /** A program of the business, which passes on what strangers do there. */
  owner: ToolCaller
  form_id: string
  /** A stranger whom `contact_id` names. */
  stranger: string
  contact_id: string
  /** A page and a feed of strangers, as they are now. */
  site: { url: string; pageTitle: string; itemTitle: string; close(): Promise<void> }
  site_feed_id: string
  /** Made of a copy of an issue. */
  copied_template_id: string
  /** A copy of an issue of a feed. */
  issue_id: string
  issue: { subject: string; title: string; text: string; url: string }
}

type Fill = (place: StrangersPlace, text: string) => Promise<unknown>

const answer =
  (key: string, spelled = (text: string) => text): Fill =>
  ({ owner, form_id, stranger }, text) =>
    owner.get('form.submit', { form_id, fields: { email: stranger, [key]: spelled(text) } })

const oneLine = (text: string) => text.replaceAll(/[\r\n]+/g, ' ').slice(0, 200)
const shortLine = (text: string) => oneLine(text).slice(0, 99)
const asAddress = (text: string) => `https://shop.example/?utm_source=${encodeURIComponent(text)}`

/** The form whose fields are of each type that takes words. Others take one of the owner's choices. */
export const strangersForm = {
  name: 'Ask us',
  status: 'published',
  fields: [
    { key: 'email', label: 'Email', type: 'email', required: true },
    { key: 'name', label: 'Name', type: 'text' },
    { key: 'first_name', label: 'First name', type: 'text' },
    { key: 'last_name', label: 'Last name', type: 'text' },
    { key: 'company', label: 'Company', type: 'text' },
    { key: 'words', label: 'Words', type: 'textarea' },
    { key: 'page', label: 'Page', type: 'url' },
    { key: 'campaign', label: 'Campaign', type: 'hidden' },
  ],
}

export const strangerFields: Readonly<Record<string, Fill>> = {
  'answer to a text field': answer('company', oneLine),
  'answer to a textarea': answer('words'),
  'answer to a url field': answer('page', asAddress),
  'answer to a hidden field': answer('campaign', oneLine),
  name: answer('name', oneLine),
  'first name': answer('first_name', shortLine),
  'last name': answer('last_name', shortLine),
  'address of the page with the form': ({ owner, form_id, stranger }, text) =>
    owner.get('form.submit', {
      form_id,
      fields: { email: stranger },
      source_url: asAddress(text).slice(0, 2_000),
    }),
  'own field of a contact': ({ owner, stranger }, text) =>
    owner.get('contact.upsert', { email: stranger, attributes: { note: text } }),
  'property of an event': ({ owner, contact_id }, text) =>
    owner.get('contact.track', {
      events: [{ contact: { contact_id }, event: 'order', properties: { words: text } }],
    }),
  'name of a property of an event': ({ owner, contact_id }, text) =>
    owner.get('contact.track', {
      events: [{ contact: { contact_id }, event: 'order', properties: { [text.slice(0, 60)]: 1 } }],
    }),
  'text message': ({ testbed, own }, text) => keptReply(testbed.db, own.id, text),
  'words of a mail server': ({ testbed, own }, text) =>
    testbed.db.run(sql`
      insert into message_events (business_id, message_id, id, type, happened_at, code, words,
        created_at)
      values (${own.id}, ${parseId('message', own.message_id)}, ${newId('event')}, 'deferred', now(),
        '4.2.0', ${text}, now())
    `),
  'answer of a webhook’s receiver': ({ testbed, own }, text) =>
    testbed.db.run(sql`
      update webhook_attempts set response = ${Buffer.from(text)}
      where business_id = ${own.id} and id = ${parseId('delivery', own.delivery_id)}
    `),
  'subject of an issue of a feed': (place, text) => fillIssue(place, 'subject', text),
  'title of an item in an issue': (place, text) => fillIssue(place, 'title', text),
  'words of an item in an issue': (place, text) => fillIssue(place, 'text', text),
  'address of an item in an issue': (place, text) => fillIssue(place, 'url', text),
  'item of an issue in a template': ({ owner, copied_template_id, issue }, text) => {
    const { url } = issue
    const title = oneLine(text).replaceAll(/[{}%]|\p{C}/gu, ' ')
    const blocks = [{ type: 'feed', items: [{ title, url }] }]
    return owner.get('template.save', { template_id: copied_template_id, blocks })
  },
  'link that was followed in an issue': ({ testbed, own, issue_id }, text) => {
    const campaignId = parseId('campaign', issue_id)
    const url = asAddress(text)
    return testbed.db.run(sql`
      insert into campaign_links (business_id, campaign_id, url_hash, url, people)
      values (${own.id}, ${campaignId}, ${linkHash(url)}, ${url}, 1)
    `)
  },
  'item of a feed that is read': async ({ site }, text) => {
    site.itemTitle = text
  },
  'name of a site that is read': async ({ site }, text) => {
    site.pageTitle = text
  },
  'refusal of a mail server': ({ testbed, own, issue_id }, text) =>
    testbed.db.tx(async (tx) => {
      const campaignId = parseId('campaign', issue_id)
      await tx.run(sql`
        insert into campaign_provider_counts (business_id, campaign_id, provider, slot, sent, delivered,
          deferred, refused, refused_by_policy, bounced, complained)
        values (${own.id}, ${campaignId}, 'gmail', 0, 1, 0, 0, 1, 0, 0, 0) on conflict do nothing
      `)
      await tx.run(sql`
        delete from campaign_provider_words
        where business_id = ${own.id} and campaign_id = ${campaignId}
      `)
      await tx.run(sql`
        insert into campaign_provider_words (business_id, campaign_id, provider, words, amount)
        values (${own.id}, ${campaignId}, 'gmail', ${text}, 1)
      `)
    }),
  'words of a bounce': ({ testbed, own }, text) =>
    testbed.db.run(sql`
      insert into message_events (business_id, message_id, id, type, happened_at, code, words,
        created_at)
      values (${own.id}, ${parseId('message', own.message_id)}, ${newId('event')}, 'bounced', now(),
        '5.1.1', ${text}, now())
    `),
  'title of a feed': ({ testbed, own }, text) =>
    testbed.db.run(sql`
      update feeds set title = ${oneLine(text)}
      where business_id = ${own.id} and id = ${parseId('feed', own.feed_id)}
    `),
  'cell of a file': ({ owner }, text) =>
    owner.get('import.create', {
      file_name: 'people.csv',
      csv: `email,name\nno address,"${text.replaceAll('"', '""')}"\n`,
    }),
  'heading of a file': ({ owner }, text) =>
    owner.get('import.create', {
      file_name: 'people.csv',
      csv: `email,"${oneLine(text).replaceAll('"', '""')}"\nanna@example.com,x\n`,
    }),
  'name of an app': ({ testbed, own }, text) => connectApp(testbed, own.id, text),
  'browser of who confirms': ({ testbed, own, contact_id }, text) =>
    testbed.db.run(sql`
      insert into consent_events (business_id, contact_id, id, channel, action, source, agent, page,
        created_at)
      values (${own.id}, ${parseId('contact', contact_id)}, ${newId('event')}, 'email', 'pending',
        'page', ${text}, ${asAddress(text)}, now())
    `),
  'text in DNS': ({ testbed, own }, text) =>
    testbed.db.run(sql`
      update domains set report = (
        select json_object_agg(key, value::jsonb || ${JSON.stringify({ found: [text] })}::jsonb)
        from json_each(report)
      ) where business_id = ${own.id}
    `),
  'name in a link that was clicked': ({ testbed, own, contact_id }, text) =>
    testbed.db.run(sql`
      insert into contact_activity (business_id, contact_id, id, type, details, message_id,
        created_at)
      values (${own.id}, ${parseId('contact', contact_id)}, ${newId('event')}, 'message.clicked',
        ${JSON.stringify({ url: asAddress(text) })}::json,
        ${parseId('message', own.message_id)}, now())
    `),
}

/** An app that a person of the business connected acts in it. */
async function connectApp(testbed: OwnTestbed, businessId: Id<'business'>, name: string) {
  const app = await testbed.caller({ businesses: [businessId], clientName: oneLine(name) })
  await app.get('contact.tag', { filter: { tag: 'nobody' }, add: ['seen'] })
}

/** As a feed fills a mail: its words have no Liquid, and nothing unseen. */
async function fillIssue(
  { owner, issue_id, issue }: StrangersPlace,
  part: keyof StrangersPlace['issue'],
  text: string,
): Promise<void> {
  issue[part] = part === 'url' ? asAddress(text) : oneLine(text).replaceAll(/[{}%]|\p{C}/gu, ' ')
  const { subject, ...item } = issue
  const content = { subject, blocks: [{ type: 'feed', items: [item] }] }
  await owner.get('campaign.save', { campaign_id: issue_id, content })
}

async function strangersSite(): Promise<StrangersPlace['site']> {
  const server = await httpServer((request, response) => {
    if (request.url === '/feed.json') {
      response.writeHead(200, { 'content-type': 'application/feed+json' })
      const items = [{ id: '1', title: site.itemTitle, url: 'https://blog.example/1' }]
      return response.end(JSON.stringify({ title: 'Blog', items }))
    }
    response.writeHead(200, { 'content-type': 'text/html' })
    const name = site.pageTitle.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    return response.end(`<!doctype html><html><head><title>${name}</title></head></html>`)
  })
  const site = {
    url: `http://127.0.0.1:${server.port}`,
    pageTitle: 'Site',
    itemTitle: 'Post',
    close: () => server.close(),
  }
  return site
}

/** The place where strangers write, in a business that has other things too. */
export async function openPlace(
  testbed: OwnTestbed,
  own: StrangersPlace['own'],
  owner: ToolCaller,
): Promise<StrangersPlace> {
  const { form_id } = await owner.get<{ form_id: string }>('form.save', strangersForm)
  const stranger = 'stranger@example.com'
  const { contact_id } = await owner.get<{ contact_id: string }>('form.submit', {
    form_id,
    fields: { email: stranger },
  })
  const site = await strangersSite()
  const { feed_id: site_feed_id } = await owner.get<{ feed_id: string }>('feed.save', {
    name: 'A blog',
    url: `${site.url}/feed.json`,
    every: 'week',
    content: { subject: '{{ item.title }}', blocks: [{ type: 'feed' }] },
  })
  const issue = { subject: 'News', title: 'Post', text: 'Words', url: 'https://blog.example/1' }
  const { subject, ...item } = issue
  const { campaign_id: issue_id } = await owner.get<{ campaign_id: string }>('campaign.generate', {
    channel: 'email',
    name: 'Issue (copy)',
    content: { subject, blocks: [{ type: 'feed', items: [item] }] },
  })
  const { template_id: copied_template_id } = await owner.get<{ template_id: string }>(
    'template.save',
    { name: 'Copied', subject, blocks: [{ type: 'feed', items: [item] }] },
  )
  const strangers = {
    stranger,
    contact_id,
    site,
    site_feed_id,
    copied_template_id,
    issue_id,
    issue,
  }
  return { testbed, own, owner, form_id, ...strangers }
}

export async function announce({ testbed }: StrangersPlace, now: () => Date): Promise<void> {
  await placeEvents({ db: testbed.db, clock: { now } })
}

/** Waits until the worker has read the file. */
export async function importRead(
  caller: Pick<ToolCaller, 'get'>,
  import_id: string,
): Promise<void> {
  const { state } = await eventually(
    () => caller.get<{ state: string }>('import.get', { import_id }),
    (shown) => !['awaiting_file', 'checking'].includes(shown.state),
  )
  assert.notEqual(state, 'checking')
}
