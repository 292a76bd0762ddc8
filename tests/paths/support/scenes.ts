/** The measured work, each kind prepared so that it can run alone. */

import { setTimeout as sleep } from 'node:timers/promises'
import { parseId } from 'crier-server/core/ids.ts'
import { hostedFormLimits } from 'crier-server/forms/hosted-form.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import type { LaneName } from 'crier-server/lib/jobs/job.ts'
import { pauseLane } from 'crier-server/lib/jobs/lanes.ts'
import { firstLanes } from 'crier-server/messages/queue.ts'
import { laneOf } from 'crier-server/webhooks/model/delivery.ts'
import { openTestbed } from '../../operations/support/testbed.ts'
import { sendOff } from '../../support/businesses/campaign-drafts.ts'
import { draftTo, relaySettings } from '../../support/businesses/campaign-runs.ts'
import { approved, exchangeForm, token } from '../../support/clients/plain-client.ts'
import { formsOf, TinyBrowser } from '../../support/clients/tiny-browser.ts'
import { startFakeRelay } from '../../support/mail/fake-relay.ts'
import { webhookReceiver } from '../../support/network/webhook-receiver.ts'
import { eventually } from '../../support/time/eventually.ts'

/** Milliseconds for which the worker may still be busy with the work that queued a job. */
const restMs = 300
/** Longer than the lease of a throttle, so that each mail renews it. */
const leaseMs = 1_100

export interface Scene {
  /** Prepares one more run. */
  prepare(): Promise<void>
  /** Runs it to its end. */
  go(): Promise<void>
  close(): Promise<void>
}

/** A call over HTTP that creates a contact, from its token to its answer. */
export async function contactUpsert(): Promise<Scene> {
  const testbed = await openTestbed({ idle: true })
  const { owner } = await testbed.someone('scale')
  let n = 0
  return {
    prepare: async () => {},
    async go() {
      const email = `who-${++n}@example.com`
      const attributes = { plan: 'pro', visits: n }
      await owner.get('contact.upsert', { email, name: `Person ${n}`, attributes })
    },
    close: () => testbed.close(),
  }
}

/** A call over HTTP that lists fifty contacts, from its token to its answer. */
export async function contactPage(): Promise<Scene> {
  const testbed = await openTestbed({ idle: true })
  const { owner } = await testbed.someone('scale')
  for (let n = 0; n < 60; n++) await owner.get('contact.upsert', { email: `who-${n}@example.com` })
  return {
    prepare: async () => {},
    async go() {
      await owner.get('contact.list', { limit: 50 })
    },
    close: () => testbed.close(),
  }
}

/** A visitor's answers to a hosted form, from the post to the redirect to the page of thanks. */
export async function hostedForm(): Promise<Scene> {
  const testbed = await openTestbed({ idle: true })
  const { owner } = await testbed.someone('scale')
  const { form_id } = await owner.get<{ form_id: string }>('form.save', {
    name: 'Join our list',
    status: 'published',
    fields: [
      { key: 'email', label: 'Email', type: 'email', required: true },
      { key: 'name', label: 'Your name', type: 'text' },
      { key: 'news', label: 'Send me news by email.', type: 'consent' },
    ],
  })
  const { url } = await owner.get<{ url: string }>('form.get', { form_id })
  const browser = new TinyBrowser()
  let [n, post, body] = [0, '', new URLSearchParams()]
  return {
    async prepare() {
      const [form] = formsOf(await browser.open(url))
      if (!form) throw new Error('the page has no form')
      const own = form.fields.filter(({ type }) => type === 'hidden')
      body = new URLSearchParams(own.map(({ name, value }) => [name, value]))
      for (const [name, value] of [
        ['email', `who-${++n}@example.com`],
        ['name', `Person ${n}`],
        ['news', 'true'],
      ] as const) {
        body.set(name, value)
      }
      post = form.action
      await sleep(hostedFormLimits.pageAgeMs.least + restMs)
    },
    async go() {
      const { status } = await browser.visit(post, { method: 'POST', body })
      if (status !== 303) throw new Error(`the form answered ${status}`)
    },
    close: () => testbed.close(),
  }
}

/** An import of a file of two contacts, from its confirmation to its end. */
export async function importOfTwo(): Promise<Scene> {
  const testbed = await openTestbed()
  const { owner } = await testbed.someone('scale')
  const reaches = async (state: string): Promise<void> => {
    const newest = await eventually(
      () =>
        testbed.db.one<{ state: string }>(sql`select state from imports order by id desc limit 1`),
      (row) => row.state === state,
      20_000,
    )
    if (newest.state !== state) throw new Error(`the import is ${newest.state}, not ${state}`)
  }
  let [n, importId] = [0, '']
  return {
    async prepare() {
      const created = await owner.get<{ import_id: string; upload_url: string }>('import.create', {
        file_name: 'people.csv',
      })
      const body = `email,name\na-${++n}@example.com,Ana\nb-${n}@example.com,Ben\n`
      const { status } = await fetch(created.upload_url, { method: 'PUT', body })
      if (status !== 201) throw new Error(`the upload answered ${status}`)
      await reaches('ready')
      importId = created.import_id
      await sleep(restMs)
    },
    async go() {
      await owner.get('import.confirm', { import_id: importId })
      await reaches('done')
    },
    close: () => testbed.close(),
  }
}

/** A client's exchange of its code for tokens, from the post to the answer. */
export async function codeExchange(): Promise<Scene> {
  const testbed = await openTestbed()
  const { url } = testbed.service
  let form: Record<string, string> = {}
  return {
    async prepare() {
      form = exchangeForm(await approved(url))
      await sleep(restMs)
    },
    async go() {
      const { status } = await token(url, form)
      if (status !== 200) throw new Error(`the exchange answered ${status}`)
    },
    close: () => testbed.close(),
  }
}

/** An event's delivery to one webhook, from the claim of its job to the row of its attempt. */
export async function webhookDelivery(): Promise<Scene> {
  const testbed = await openTestbed({ settings: { OUTBOUND_ALLOW: '127.0.0.0/8:*' } })
  const { businessId, owner } = await testbed.someone('scale')
  let secret = ''
  const receiver = await webhookReceiver(() => secret)
  const asked = { url: receiver.url, events: ['contact.created'] }
  const made = await owner.get<{ webhook_id: string; signing_secret: string }>(
    'webhook.save',
    asked,
  )
  secret = made.signing_secret
  const webhookId = parseId('webhook', made.webhook_id)
  if (!webhookId) throw new Error(`no webhook: ${made.webhook_id}`)
  const lane = laneOf({ businessId, webhookId })
  let n = 0
  return {
    async prepare() {
      await pauseLane(testbed.db, lane, new Date())
      await owner.get('contact.upsert', { email: `who-${++n}@example.com` })
      await queued(testbed.db, lane.kind)
      await sleep(restMs)
    },
    async go() {
      await resume(testbed.db, [lane])
      await gone(testbed.db, lane.kind)
    },
    async close() {
      await testbed.close()
      receiver.close()
    },
  }
}

/** A campaign's mail to one person over SMTP, from the claim of its job to its outcome. */
export async function campaignMail(): Promise<Scene> {
  const relay = await startFakeRelay()
  const testbed = await openTestbed(relaySettings(relay.url()))
  let lanes: LaneName[] = []
  const kind = 'message.email'
  return {
    async prepare() {
      const running = await draftTo(testbed, 1)
      lanes = firstLanes({ ...running, channel: 'email' })
      for (const lane of lanes) await pauseLane(testbed.db, lane, new Date())
      await sendOff(running)
      await queued(testbed.db, kind)
      await sleep(leaseMs)
      // The campaign's own job returns each second, and is not part of a mail's path.
      await testbed.db.run(sql`
        update jobs set due_at = 'infinity' where kind like 'campaign.%' and lease is null
      `)
    },
    async go() {
      const before = relay.taken.length
      await resume(testbed.db, lanes)
      await eventually(
        () => relay.taken.length,
        (count) => count > before,
      )
      await gone(testbed.db, kind)
    },
    async close() {
      await testbed.close()
      await relay.stop()
    },
  }
}

/** Waits until a job of this kind is queued. */
async function queued(db: Database, kind: string): Promise<void> {
  await jobsLeft(db, kind, (jobs) => jobs === 1)
}

async function gone(db: Database, kind: string): Promise<void> {
  await jobsLeft(db, kind, (jobs) => jobs === 0)
}

async function jobsLeft(db: Database, kind: string, isSo: (jobs: number) => boolean) {
  const jobs = await eventually(
    async () => {
      const { n } = await db.one<{ n: number }>(sql`
        select count(*)::int as n from jobs where kind = ${kind}
      `)
      return n
    },
    isSo,
    20_000,
  )
  if (!isSo(jobs)) throw new Error(`${jobs} jobs of ${kind} are left`)
}

/** The same as `resumeLane`, but its lines are not counted. */
async function resume(db: Database, lanes: readonly LaneName[]): Promise<void> {
  const names = lanes.map(({ kind }) => kind)
  await db.run(sql`
    update lanes set paused_at = null, next_at = now(), touched_at = now()
    where kind = any(${names}) and paused_at is not null
  `)
}
