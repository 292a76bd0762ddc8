/**
 * A business of which strangers wrote every text. Each text begins with its kind, by which a test
 * finds it on the pages, and would run a script, load something or lead away if it were markup.
 */
import type { Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { OwnTestbed } from '../../operations/support/testbed.ts'
import { deployPlanned, yes } from '../../support/businesses/campaigns.ts'
import { connectApp } from '../../support/clients/connected-app.ts'
import { newMember } from '../../support/clients/grants.ts'
import { inboxOf } from '../../support/clients/sign-in.ts'
import { keptReply } from '../../support/sms/replies.ts'
import { eventually } from '../../support/time/eventually.ts'
import type { Objects } from './places.ts'

/** What a script of theirs would do; a test looks for the mark. */
const run = 'top.owned=1'
/** Turns the direction of what follows on a page that does not isolate it. */
const bidi = '\u202e\u2066'

/** The kinds of text that somebody must see on some page. */
export const kinds = (
  'person tag note evidence source shop form question answer segment template campaign subject ' +
  'client reply topic key hook file column archive'
).split(' ')

export interface Texts {
  line(kind: string, characters?: number): string
  mail: string
}

export function hostileTexts(lure: string): Texts {
  return {
    line: (kind, characters = 400) =>
      `${kind}"><img src=${lure}/i onerror=${run}><script>${run}</script>`.slice(0, characters),
    mail: `<p>Hello</p><script>${run};fetch("${lure}/s")</script>
<img src="${lure}/pixel" onerror="${run}"><style>@import "${lure}/c"; p{background:url(${lure}/b)}</style>
<meta http-equiv="refresh" content="0;url=${lure}/m"><link rel="stylesheet" href="${lure}/l">
<a href="javascript:${run}">a</a><iframe src="${lure}/f"></iframe><svg onload="${run}"></svg>
<form action="${lure}/form"><button>Go</button></form><base href="${lure}/"><video src="${lure}/v"></video>`,
  }
}

export interface HostileBusiness {
  id: Id<'business'>
  /** Its owner, who has connected hostile clients. */
  userId: Id<'user'>
  objects: Objects
  waiting: string
  /** The mail that it sent, as the built-in inbox holds it, and the links in that mail. */
  mails: string[]
  links: string[]
}

export async function hostileBusiness(
  testbed: OwnTestbed,
  { line, mail }: Texts,
  lure: string,
): Promise<HostileBusiness> {
  const { db, service } = testbed
  const id = await testbed.newBusiness('scale')
  const businesses = [id]
  const userId = await newMember(db, { businesses, role: 'owner' })
  const client = { userId, businesses, clientName: line('client', 100) }
  await connectApp(db, client)
  const owner = await testbed.caller(client)
  const app = await testbed.appCaller({ businesses })
  const make = async (operation: string, key: string, input: object) => {
    const made = (await owner.get(operation, input)) as Record<string, string>
    return made[key] ?? ''
  }
  const archive = { on: true, title: line('archive', 100), description: line('archive', 300) }
  await owner.get('business.save', { postal_address: '1 Example Street', archive })
  // The settings refuse angle brackets in a name; the database of an old installation may hold them.
  await db.run(sql`update businesses set name = ${line('shop', 200)} where id = ${id}`)
  await owner.get('topic.save', {
    topic: 'news',
    name: line('topic', 60),
    description: mail.slice(0, 100),
  })

  const tag = line('tag', 60)
  const contact = await make('contact.upsert', 'contact_id', {
    email: 'ana@example.com',
    phone: '+33612345678',
    name: `${line('person', 200)}${bidi}`,
    tags: [tag],
    attributes: { note: line('note') + mail },
    consent: {
      email: { ...yes, source: line('source', 100), text: line('evidence'), topics: ['news'] },
    },
  })
  const form = await make('form.save', 'form_id', {
    name: line('form', 100),
    status: 'published',
    double_opt_in: true,
    tags: [tag],
    page: {
      title: line('form', 100),
      intro: mail.slice(0, 300),
      submit: '<b>Go</b>',
      thanks: line('form', 100),
    },
    fields: [
      { key: 'email', label: line('question', 100), type: 'email', required: true },
      { key: 'word', label: line('question', 100), type: 'text' },
      { key: 'news', label: line('question', 100), type: 'consent', channel: 'email' },
      { key: 'pick', label: 'Pick', type: 'radio', options: [line('question', 60), 'B'] },
    ],
  })
  await owner.get('form.submit', {
    form_id: form,
    fields: { email: 'eve@example.com', word: line('answer') + bidi, news: 'yes' },
    source_url: 'https://shop.example/?"><script>',
  })
  const segment = await make('segment.save', 'segment_id', {
    name: line('segment', 100),
    filter: { tag },
  })
  const template = await make('template.save', 'template_id', {
    name: line('template', 100),
    subject: line('subject', 200),
    html: mail,
  })
  const automation = await make('sequence.save', 'sequence_id', {
    name: line('automation', 100),
    enter: { on: 'tag.added', tag },
    exit: { field: 'name', op: 'is', value: line('exit', 60) },
    steps: [
      { wait: '3 days' },
      { send: { template_id: template }, if: { tag } },
      { split: [{ if: { tag }, steps: [{ tag: line('step', 60) }] }, { steps: [] }] },
      { set: { first_name: line('value', 60) } },
    ],
  })
  const view = '<a href="{{ view_url }}">View</a>'
  const draft = () =>
    make('campaign.generate', 'campaign_id', {
      name: line('campaign', 100),
      channel: 'email',
      content: {
        subject: line('subject', 200),
        preheader: line('subject', 100),
        html: `${mail}${view}`,
      },
      topic: 'news',
    })
  const [drafted, sent, waiting] = [await draft(), await draft(), await draft()]
  await owner.get('campaign.save', { campaign_id: sent, archive: true })
  // By a person: with a `<base>`, an app's would wait for one.
  await deployPlanned(app, { campaign_id: sent })
  await owner.get('business.save', { deploy_limit: 0 })
  await deployPlanned(owner, { campaign_id: waiting })
  const message = await make('email.send', 'message_id', {
    to: 'ana@example.com',
    subject: line('subject', 200),
    html: mail,
    kind: 'transactional',
  })
  await keptReply(db, id, line('reply'))
  const webhook = await make('webhook.save', 'webhook_id', {
    url: `${lure}/hook?"><script>${run}</script>`,
    events: ['contact.created'],
  })
  await owner.get('webhook.test', { webhook_id: webhook })
  const feed = await make('feed.save', 'feed_id', {
    name: line('feed', 100),
    url: `${lure}/feed.xml`,
    every: 'week',
    at: '08:00',
    content: {
      subject: line('feed'),
      blocks: [{ type: 'heading', text: line('feed') }, { type: 'feed' }],
    },
  })
  const file = await app.send(
    'POST',
    `/v1/imports?file_name=${encodeURIComponent(line('file', 100))}`,
    {
      body: `Email,"${line('column', 100).replaceAll('"', '""')}"\ncem@example.com,"${mail.replaceAll('"', '""')}"\n`,
      headers: { 'content-type': 'text/csv' },
    },
  )
  const imported = String(file.body['import_id'])
  await app.get('key.create', { name: line('key', 60), role: 'viewer' })
  const received = await eventually(
    async () => [
      ...(await inboxOf(service.url, 'ana@example.com')),
      ...(await inboxOf(service.url, 'eve@example.com')),
    ],
    ({ length }) => length === 3,
  )
  // The archive has it once its sending is complete.
  await eventually(
    () => owner.get<{ status: string }>('campaign.get', { campaign_id: sent }),
    ({ status }) => status === 'completed',
  )
  const objects = {
    contact,
    segment,
    form,
    template,
    message,
    import: imported,
    draft: drafted,
    sent,
    automation,
    feed,
  }
  return {
    id,
    userId,
    objects,
    waiting,
    mails: received.map((entry) => entry.id),
    links: received.flatMap((entry) => entry.links),
  }
}
