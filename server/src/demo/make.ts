/**
 * Makes the demo: two businesses with 10,000 contacts and a past of ninety days. Operations do
 * everything that they can. Only the past is written by the demo's own statements.
 */
import { createBusiness } from '../accounts/businesses/create.ts'
import { addMember } from '../accounts/businesses/memberships.ts'
import { ensureUser } from '../accounts/sign-in/sign-up.ts'
import { createApp } from '../composition/app.ts'
import type { AppParts } from '../composition/app-parts.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import { type Id, parseId } from '../core/ids.ts'
import { findDemo, recordDemo } from '../core/installation/demo.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { callsOf, type DemoCalls } from './calls.ts'
import { type DemoPictures, makeCampaigns } from './campaigns.ts'
import { connectApps, makeKey } from './connecting/connect.ts'
import {
  addCampaignUsage,
  analyze,
  audienceTables,
  backdateActivity,
  backdateConsent,
  backdateContacts,
  backdateSubmissions,
  campaignTables,
  dropEvents,
  dropJobs,
  insertUsage,
  seriesTrial,
  sumMonths,
  writeSequencePast,
} from './past-queries.ts'
import { crowd } from './people.ts'
import { roaster } from './roaster.ts'
import { school } from './school.ts'
import type { DemoPicture, Story } from './story.ts'
import { submitForms } from './submissions.ts'
import { type DemoWebhook, writeWebhookPast } from './webhook-past.ts'

/** The user who signs in to see the demo, and the other members of its businesses. */
export const demoOwner = 'demo@example.com'
const colleagues = [
  { email: 'sam.approver@example.com', role: 'admin' },
  { email: 'kim.editor@example.com', role: 'editor' },
] as const

const stories: readonly Story[] = [roaster, school]
const pastDays = 90

export type DemoParts = Omit<AppParts, 'resolve' | 'backup'>

/** Refuses where mail or texts could leave this machine, and where there is a demo already. */
export async function makeDemo(parts: DemoParts): Promise<Refusal | undefined> {
  const { config, db, clock } = parts
  const refused = refuseRealTransport(config)
  if (refused) return refused
  if (await findDemo(db)) {
    return refuse('conflict', 'The demo data already exists. Remove it with crier demo --wipe.')
  }
  const app = createApp({
    ...parts,
    // No name server is queried: names of the demo resolve to a documentation address (RFC 5737).
    config: { ...config, dnsServers: [{ address: '127.0.0.1', port: 1 }] },
    resolve: async () => ['93.184.216.34'],
  })
  try {
    const now = clock.now()
    const made = await db.tx((tx) => makePeople(tx, now))
    for (const { story, businessId } of made.businesses) {
      const calls = callsOf(app.ask, { userId: made.userId, businessId, now })
      await tellStory(parts, { story, businessId, calls, now })
    }
    return undefined
  } finally {
    await app.stop()
  }
}

export function refuseRealTransport({
  smtpUrl,
  sms,
}: Pick<AppParts['config'], 'smtpUrl' | 'sms'>): Refusal | undefined {
  if (!smtpUrl && !sms) return undefined
  const setting = smtpUrl ? 'SMTP_URL' : 'SMS_URL'
  return refuse(
    'conflict',
    `${setting} is set, so demo messages would leave this machine. Start the demo as a separate installation: DATA_DIR=./demo-data, without ${setting}.`,
  )
}

async function makePeople(tx: Tx, now: Date) {
  const users: Id<'user'>[] = []
  const person = async (email: string) => {
    const { user, isNew } = await ensureUser(tx, email, now)
    if (isNew) users.push(user.id)
    return user.id
  }
  const userId = await person(demoOwner)
  const businesses: { story: Story; businessId: Id<'business'> }[] = []
  for (const story of stories) {
    const made = await createBusiness(tx, {
      name: story.name,
      ownerId: userId,
      tier: 'scale',
      deployLimit: 1000,
      now,
    })
    businesses.push({ story, businessId: made })
    for (const { email, role } of colleagues) {
      await addMember(tx, made, { userId: await person(email), role, now })
    }
  }
  const ids = businesses.map(({ businessId }) => businessId)
  await connectApps(tx, { userId, businesses: ids, now })
  await recordDemo(tx, { businesses: ids, users }, now)
  return { userId, businesses }
}

interface Telling {
  story: Story
  businessId: Id<'business'>
  calls: DemoCalls
  now: Date
}

async function tellStory(parts: DemoParts, telling: Telling): Promise<void> {
  const { db } = parts
  const { story, businessId, calls, now } = telling
  await calls('business.save', { ...story.settings, deploy_limit: 1000 })
  const pictures = await makeBrand(telling)
  for (const topic of story.topics) await calls('topic.save', topic)
  const people = crowd(story.crowd)
  await calls('contact.import', { contacts: people })
  for (const segment of story.segments) await calls('segment.save', segment)
  for (const template of story.templates) await calls('template.save', template)
  await submitForms(calls, { forms: story.forms, people })
  const webhooks = await makeWebhooks(telling)
  await analyze(db, audienceTables)
  await db.tx(async (tx) => {
    await backdateContacts(tx, businessId, { days: pastDays, now })
    await backdateConsent(tx, businessId)
    await backdateActivity(tx, businessId)
    await backdateSubmissions(tx, businessId, { days: pastDays, now })
    await dropEvents(tx, businessId)
    await dropJobs(tx, businessId)
    await writeWebhookPast(tx, businessId, {
      webhooks,
      contacts: await listKnown(tx, businessId),
      now,
    })
  })
  await calls('domain.add', { domain: story.domain })
  // Before a campaign that waits for the second person, for whom automations would wait as well.
  await makeAutomations(parts, telling)
  for (const feed of story.feeds) await calls('feed.save', feed)
  await makeCampaigns({ db, pictures, ...telling })
  if (story === roaster) await makeKey(db, calls, telling)
  await analyze(db, campaignTables)
  await db.tx(async (tx) => {
    const calls = story.mailsPerDay
    await insertUsage(tx, businessId, { days: pastDays, mails: story.mailsPerDay, calls, now })
    await addCampaignUsage(tx, businessId)
    await sumMonths(tx, businessId)
  })
}

/** The brand, and the addresses of its pictures by their names. */
async function makeBrand({ story, calls }: Telling): Promise<DemoPictures> {
  const { logo, pictures, set } = story.brand
  const upload = async (name: string, { svg, alt }: DemoPicture) => {
    const data = await drawn(svg)
    return calls<{ image_id: string; url: string }>('image.upload', {
      data,
      file_name: `${name}.png`,
      alt,
    })
  }
  const mark = logo && (await upload('logo', { svg: logo.svg, alt: story.name }))
  await calls('brand.set', {
    ...set,
    ...(logo &&
      mark && {
        logo: { image_id: mark.image_id, alt: story.name, link: logo.link, width: logo.width },
      }),
  })
  const made: DemoPictures = {}
  for (const [name, picture] of Object.entries(pictures)) {
    made[name] = { src: (await upload(name, picture)).url, alt: picture.alt }
  }
  return made
}

/** A drawing as a PNG in base64, since mail shows no SVG. */
async function drawn(svg: string): Promise<string> {
  const { default: sharp } = await import('sharp')
  const drawing = sharp(Buffer.from(svg), {
    failOn: 'error',
    limitInputPixels: 2_000_000,
    animated: false,
    sequentialRead: false,
  })
  const { data } = await drawing
    .png({ compressionLevel: 9, palette: false })
    .toBuffer({ resolveWithObject: true })
  return data.toString('base64')
}

/** An automation of the gallery. */
interface Starter {
  kind: string
  enter: object
  exit?: object
  steps: object[]
}

async function makeAutomations(
  { db }: DemoParts,
  { story, businessId, calls, now }: Telling,
): Promise<void> {
  for (const { gallery, name, slots, fate } of story.automations) {
    const { sequences } = await calls<{ sequences: Starter[] }>('sequence.gallery', {
      key: gallery,
    })
    const [starter] = sequences
    if (!starter) throw new Error('the gallery lacks an automation of the demo')
    const { kind, enter, exit, steps } = starter
    const { sequence_id } = await calls<{ sequence_id: string }>('sequence.save', {
      name,
      kind,
      enter,
      ...(exit && { exit }),
      steps,
      ...(slots && { slots }),
      ...(fate === 'welcoming' && seriesTrial),
    })
    const sequenceId = parseId('sequence', sequence_id)
    if (fate === 'draft' || !sequenceId) continue
    await calls('sequence.start', { sequence_id })
    if (fate === 'welcoming') {
      await db.tx((tx) => writeSequencePast(tx, { businessId, sequenceId, now }))
    }
  }
}

async function makeWebhooks({ story, calls }: Telling): Promise<DemoWebhook[]> {
  const made: DemoWebhook[] = []
  for (const { health, ...webhook } of story.webhooks) {
    const { webhook_id } = await calls<{ webhook_id: string }>('webhook.save', webhook)
    if (health === 'paused') await calls('webhook.save', { webhook_id, status: 'paused' })
    const id = parseId('webhook', webhook_id)
    if (id) made.push({ ...webhook, id, health })
  }
  return made
}

/** The first contacts of a business, to whom its past events refer. */
export function listKnown(
  db: Db,
  businessId: Id<'business'>,
): Promise<{ id: Id<'contact'>; email: string; name: string }[]> {
  return db.all(sql`
    select id, email, name from contacts where business_id = ${businessId} order by id limit 40
  `)
}
