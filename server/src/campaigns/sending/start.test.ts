import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  deployPlanned,
  openCampaignTestbed,
} from '../../../../tests/support/businesses/campaigns.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { ShiftedClock } from '../../../../tests/support/time/shifted-clock.ts'
import { removalJob } from '../../accounts/removals/removal.ts'
import { setBusiness } from '../../accounts/settings/settings.ts'
import { parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { enqueue } from '../../lib/jobs/job.ts'
import { days, minutes } from '../../lib/time/clock.ts'

const clock = new ShiftedClock()
let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed({ clock, idle: false })
})
after(() => testbed.close())

interface Shown {
  campaign_id: string
  status: string
  pause_reason: string | null
  recipients: number
  waits?: { approval_reason?: string }
}
type Scene = Awaited<ReturnType<typeof campaignScene>>

/** Schedules for later, and runs `meanwhile` before that time comes. */
async function comeDue(meanwhile: (scene: Scene) => Promise<unknown>) {
  const scene = await campaignScene(testbed)
  await scene.subscribers(2)
  const { campaign_id } = await scene.draft()
  const send_at = new Date(clock.now().getTime() + minutes(2)).toISOString()
  const ordered = await deployPlanned<Shown>(scene.owner, { campaign_id, send_at })
  assert.equal(ordered.status, 'scheduled')
  await meanwhile(scene)
  clock.forward(minutes(2))
  const shown = await eventually(
    () => scene.owner.get<Shown>('campaign.get', { campaign_id }),
    ({ status }) => status !== 'scheduled',
  )
  return { scene, campaign_id, shown }
}

const set = ({ businessId }: Scene, key: string, value: string) =>
  setBusiness(testbed.db, businessId, { key, value, now: new Date() })

test('a scheduled campaign is deployed at its hour to the contacts that match then', async () => {
  const { shown } = await comeDue((scene) => scene.subscribers(3))
  assert.ok(['deployed', 'completed'].includes(shown.status), shown.status)
  assert.equal(shown.recipients, 3)
})

test('a gate that fails at the scheduled hour pauses the campaign; once corrected, it can be resumed', async () => {
  const { scene, campaign_id, shown } = await comeDue((entry) => set(entry, 'postal_address', ''))
  assert.deepEqual([shown.status, shown.pause_reason], ['paused', 'gate'])
  const refusal = await scene.refused('campaign.resume', { campaign_id })
  assert.match(refusal.message, /postal address/)
  await set(scene, 'postal_address', '1 Example Street')
  await scene.owner.get('campaign.resume', { campaign_id })
})

test('a scheduled campaign that exceeds the limit at its hour waits for a person’s approval', async () => {
  const { shown } = await comeDue((scene) => set(scene, 'deploy_limit', '1'))
  assert.equal(shown.status, 'awaiting_approval')
  assert.equal(shown.waits?.approval_reason, undefined)
})

interface Ordered {
  approved: number
  grows: number
}

/** A connected app of the business, or a program with a key of it. */
async function appOrKey({ businessId }: Scene, isApiKey: boolean) {
  const caller = await testbed.caller({ businesses: [businessId] })
  if (isApiKey) {
    await testbed.db.run(sql`
      update connections set client_id = null, redirect_uri = null, role = 'owner',
        recipients_per_day = 1000
      where ${businessId} = any (business_ids) and id = (
        select max(id::text)::uuid from connections where ${businessId} = any (business_ids)
      )
    `)
  }
  return caller
}

/** New subscribers, whom a program of the business saves, or a connected app. */
async function subscribe(scene: Scene, count: number, isApiKey: boolean): Promise<void> {
  const caller = await appOrKey(scene, isApiKey)
  const consent = { email: { status: 'subscribed', source: 'shop' } }
  for (let n = 0; n < count; n++) {
    await caller.get('contact.upsert', { email: `more-${n}@example.com`, consent })
  }
}

/** An order that a person approved for `approved` recipients, and that has `grows` more at its hour. */
async function grown({ approved, grows }: Ordered) {
  const scene = await campaignScene(testbed)
  await set(scene, 'deploy_limit', '0')
  await scene.subscribers(approved)
  const person = await testbed.appCaller({ businesses: [scene.businessId], role: 'owner' })
  const { campaign_id } = await scene.draft()
  const send_at = new Date(clock.now().getTime() + minutes(2)).toISOString()
  await scene.owner.get('campaign.deploy', { campaign_id, send_at })
  const { plan_hash } = await person.get<{ plan_hash: string }>('campaign.preview', { campaign_id })
  await person.get('campaign.decide', { campaign_id, decision: 'approve', plan_hash })
  await subscribe(scene, grows, true)
  clock.forward(minutes(2))
  const get = () => scene.owner.get<Shown>('campaign.get', { campaign_id })
  const shown = await eventually(get, ({ status }) => status === 'paused' || status === 'completed')
  return { scene, campaign_id, person, shown, get }
}

test('an approval covers the recipients that it showed: one that grew from 3 to 28 asks again', async () => {
  const { scene, campaign_id, person, shown, get } = await grown({
    approved: 3,
    grows: 25,
  })
  assert.deepEqual([shown.status, shown.pause_reason, shown.recipients], ['paused', 'approval', 28])
  const refusal = await scene.refused('campaign.resume', { campaign_id })
  assert.deepEqual([refusal.code, refusal['reason']], ['conflict', 'approval_limit'])
  await person.get('campaign.resume', { campaign_id })
  await eventually(get, ({ status }) => status === 'completed')
})

test('an approval covers nine people more, and of many a tenth more', async () => {
  for (const [approved, grows, status] of [
    [3, 9, 'completed'],
    [3, 10, 'paused'],
    [120, 12, 'completed'],
    [120, 13, 'paused'],
  ] as const) {
    const { shown } = await grown({ approved, grows })
    assert.equal(shown.status, status, `${approved} and ${grows} more`)
  }
})

/** All orders together stay within the hour that a token lives. */
const lead = minutes(1.5)

/** A person's own order for the hour, and what happens before it. */
async function ownOrder(
  audience: (scene: Scene) => Promise<object>,
  meanwhile: (scene: Scene) => Promise<unknown>,
): Promise<Shown> {
  const scene = await campaignScene(testbed)
  await set(scene, 'deploy_limit', '0')
  await scene.subscribers(3)
  const person = await testbed.appCaller({ businesses: [scene.businessId], role: 'owner' })
  const { campaign_id } = await scene.draft({ audience: await audience(scene) })
  const send_at = new Date(clock.now().getTime() + lead).toISOString()
  await person.get('campaign.deploy', { campaign_id, send_at })
  await meanwhile(scene)
  clock.forward(lead)
  return eventually(
    () => scene.owner.get<Shown>('campaign.get', { campaign_id }),
    ({ status }) => status === 'awaiting_approval' || status === 'completed',
  )
}

const everybody = () => Promise.resolve({})
const first = { field: 'email', op: 'is', value: 'who-1@example.com' }

test('a person’s own order goes to everybody of its audience at its hour, by whichever program', async () => {
  const shown = await ownOrder(everybody, (scene) => subscribe(scene, 25, true))
  assert.deepEqual([shown.status, shown.recipients], ['completed', 28])
})

test('a person’s own order waits where connected apps brought many people into it, not where a few', async () => {
  const few = await ownOrder(everybody, (scene) => subscribe(scene, 9, false))
  assert.deepEqual([few.status, few.recipients], ['completed', 12])
  const many = await ownOrder(everybody, (scene) => subscribe(scene, 10, false))
  assert.deepEqual([many.status, many.recipients], ['awaiting_approval', 13])
})

test('a person’s own order waits where a connected app changed its sender, not where a person did', async () => {
  const verified = async ({ businessId, owner }: Scene) => {
    await owner.get('domain.add', { domain: 'second.example' })
    await testbed.db.run(sql`
      update domains set status = 'verified', awaits_person = false, verified_at = ${clock.now()}
      where business_id = ${businessId} and name = 'second.example'
    `)
  }
  const sender = { email: 'news@second.example' }
  const byApp = await ownOrder(everybody, async (scene) => {
    await verified(scene)
    await scene.owner.get('business.save', { sender })
  })
  assert.equal(byApp.status, 'awaiting_approval')
  const byPerson = await ownOrder(everybody, async (scene) => {
    await verified(scene)
    const person = await testbed.appCaller({ businesses: [scene.businessId], role: 'owner' })
    await person.get('business.save', { sender })
  })
  assert.equal(byPerson.status, 'completed')
})

test('it says that an app changed who gets it, on its page too, until a person has decided', async () => {
  let scene: Scene | undefined
  const campaign = await ownOrder(everybody, (entry) => {
    scene = entry
    return subscribe(entry, 10, false)
  })
  assert.equal(campaign.waits?.approval_reason, 'changed_by_app')
  assert.ok(scene)
  const { businessId } = scene
  const { campaign_id } = campaign
  const session = await testbed.newSession({ businesses: [businessId], role: 'owner' })
  const leads = async () => {
    const languages = ['en', 'de', 'fr'].map(async (language) => {
      const answer = await fetch(`${testbed.service.url}/campaigns/${campaign_id}`, {
        headers: { cookie: `crier-session=${session}`, 'accept-language': language },
      })
      return /<p class="lead">([^<]*)/.exec(await answer.text())?.[1]
    })
    return Promise.all(languages)
  }
  assert.deepEqual(await leads(), [
    'A connected app has changed who gets it, or its sender, since it was scheduled or approved. It is sent as soon as you approve.',
    'Eine verbundene App hat die Empfänger oder den Absender geändert, seit sie geplant oder freigegeben wurde. Gesendet wird sie, sobald Sie sie freigeben.',
    'Une application connectée a modifié ses destinataires ou son expéditeur depuis sa planification ou son approbation. Envoi\u00a0: dès que vous l’approuvez.',
  ])
  const person = await testbed.appCaller({ businesses: [businessId], role: 'owner' })
  await person.get('campaign.decide', { campaign_id, decision: 'refuse' })
  const { reason } = await testbed.db.one<{ reason: string | null }>(sql`
    select approval_reason as reason from campaigns where business_id = ${businessId}
  `)
  assert.equal(reason, null)
})

test('what an app changes of people counts where it decides who gets a person’s own order', async () => {
  const many = Array.from({ length: 13 }, (_, n) => n + 1)
  const byApp = async (scene: Scene, change: object) => {
    const app = await testbed.caller({ businesses: [scene.businessId] })
    for (const n of many)
      await app.get('contact.upsert', { email: `who-${n}@example.com`, ...change })
  }
  const customers = async (scene: Scene) => {
    await scene.subscribers(13)
    return {}
  }
  const sameOnes = await ownOrder(customers, async (scene) => {
    await byApp(scene, { name: 'Jo' })
    await subscribe(scene, 12, true)
  })
  assert.deepEqual([sameOnes.status, sameOnes.recipients], ['completed', 25])
  const plans = async (scene: Scene) => {
    await scene.subscribers(13)
    const ofPlan = { field: 'attributes.plan', op: 'is', value: 'yearly' }
    return { filter: { or: [first, ofPlan] } }
  }
  const fitting = await ownOrder(plans, (scene) => byApp(scene, { attributes: { plan: 'yearly' } }))
  assert.deepEqual([fitting.status, fitting.recipients], ['awaiting_approval', 13])
  // One person is one, however often an app saves them.
  const again = await ownOrder(customers, async (scene) => {
    const app = await testbed.caller({ businesses: [scene.businessId] })
    for (const n of many)
      await app.get('contact.upsert', { email: 'who-1@example.com', tags: [`t${n}`] })
    await subscribe(scene, 12, true)
  })
  assert.deepEqual([again.status, again.recipients], ['completed', 25])
})

test('a person’s own order waits where an app merges people, whose history then counts for others', async () => {
  const numbers = Array.from({ length: 10 }, (_, n) => n)
  const shown = await ownOrder(
    async ({ owner, subscribers }) => {
      await subscribers(10)
      for (const n of numbers) await owner.get('contact.upsert', { email: `old-${n}@example.com` })
      const events = numbers.map((n) => {
        return { contact: { email: `old-${n}@example.com` }, event: 'order', id: `A-${n}` }
      })
      await owner.get('contact.track', { events })
      return { filter: { or: [first, { did: 'order' }] } }
    },
    async ({ businessId }) => {
      const { db } = testbed
      const app = await testbed.caller({ businesses: [businessId] })
      const idOf = async (email: string) => {
        const { contacts } = await app.get<{ contacts: { contact_id: string }[] }>('contact.list', {
          filter: { field: 'email', op: 'is', value: email },
        })
        return contacts[0]?.contact_id
      }
      for (const n of numbers) {
        const { held } = await app.get<{ held?: object }>('contact.merge', {
          contact_id: await idOf(`who-${n + 1}@example.com`),
          other_contact_id: await idOf(`old-${n}@example.com`),
        })
        assert.ok(held, 'merging different addresses waits for a day')
      }
      // The day is over.
      const removals = await db.all<{ id: string }>(sql`
        select id from held_removals where business_id = ${businessId}
      `)
      await db.tx((tx) => {
        const jobs = removals.map(({ id: removal_id }) => {
          return {
            kind: removalJob,
            businessId,
            payload: { business_id: businessId, removal_id },
          }
        })
        return enqueue(tx, jobs, clock.now())
      })
      const open = () =>
        db.one<{ n: number }>(sql`
          select count(*)::int as n from held_removals
          where business_id = ${businessId} and ended_at is null
        `)
      assert.deepEqual(await eventually(open, ({ n }) => n === 0), { n: 0 })
    },
  )
  assert.deepEqual([shown.status, shown.recipients], ['awaiting_approval', 10])
})

/** Apps, and programs with a key, that do the same: only what an app did waits. */
async function byAppOrKey(
  audience: object,
  act: (caller: Awaited<ReturnType<typeof appOrKey>>) => Promise<void>,
  kinds = [false, true],
) {
  const statuses: string[] = []
  for (const isApiKey of kinds) {
    const shown = await ownOrder(
      async (scene) => {
        await scene.subscribers(26)
        for (let n = 1; n <= 13; n++)
          await scene.owner.get('contact.upsert', { email: `who-${n}@example.com`, tags: ['vip'] })
        return audience
      },
      async (scene) => act(await appOrKey(scene, isApiKey)),
    )
    statuses.push(`${shown.status} ${shown.recipients}`)
  }
  return statuses
}

test('a person’s own order waits where an app puts other people into it, though the number is the same', async () => {
  const statuses = await byAppOrKey({ tags: ['vip'] }, async (caller) => {
    for (let n = 1; n <= 13; n++) {
      await caller.get('contact.upsert', { email: `who-${n}@example.com`, remove_tags: ['vip'] })
      await caller.get('contact.upsert', { email: `who-${n + 13}@example.com`, tags: ['vip'] })
    }
  })
  assert.deepEqual(statuses, ['awaiting_approval 13', 'completed 13'])
})

test('a person’s own order waits where an app tells of people what its filter asks for', async () => {
  const filter = { or: [{ tag: 'vip' }, { did: 'order' }] }
  const statuses = await byAppOrKey({ filter }, async (caller) => {
    const events = Array.from({ length: 10 }, (_, n) => {
      return { contact: { email: `who-${n + 14}@example.com` }, event: 'order', id: `A-${n}` }
    })
    await caller.get('contact.track', { events })
  })
  assert.deepEqual(statuses, ['awaiting_approval 23', 'completed 23'])
})

test('what an app changes of people who do not get it makes nobody wait', async () => {
  const tagsOthers = async (caller: Awaited<ReturnType<typeof appOrKey>>) => {
    for (let n = 14; n <= 26; n++)
      await caller.get('contact.upsert', { email: `who-${n}@example.com`, tags: ['later'] })
  }
  const [byApp] = await byAppOrKey({ tags: ['vip'] }, tagsOthers, [false])
  assert.equal(byApp, 'completed 13')
})

test('a person’s own order waits where an app took people off the suppression list by undoing its import', async () => {
  const statuses: string[] = []
  for (const undoes of [true, false]) {
    let import_id = ''
    const imported = async (owner: Scene['owner'], wanted: string) => {
      const { state } = await eventually(
        () => owner.get<{ state: string }>('import.get', { import_id }),
        (shown) => shown.state === wanted,
      )
      assert.equal(state, wanted)
    }
    const shown = await ownOrder(
      async ({ owner }) => {
        const list = { csv: 'email\nwho-1@example.com\n', kind: 'suppressions' }
        ;({ import_id } = await owner.get<{ import_id: string }>('import.create', list))
        await imported(owner, 'ready')
        await owner.get('import.confirm', { import_id, reason: 'unsubscribed' })
        await imported(owner, 'done')
        return {}
      },
      async ({ owner }) => {
        if (!undoes) return
        await owner.get('import.undo', { import_id })
        await imported(owner, 'undone')
      },
    )
    statuses.push(`${shown.status} ${shown.recipients}`)
  }
  assert.deepEqual(statuses, ['awaiting_approval 3', 'completed 2'])
})

test('a person’s own order waits where a connected app changed its segment, whatever the number', async () => {
  let segment_id = ''
  const bySegment = async ({ owner }: Scene) => {
    const segment = { name: 'Regulars', filter: first }
    ;({ segment_id } = await owner.get<{ segment_id: string }>('segment.save', segment))
    return { segment_id }
  }
  const others = { ...first, value: 'who-2@example.com' }
  const byApp = await ownOrder(bySegment, ({ owner }) =>
    owner.get('segment.save', { segment_id, filter: others }),
  )
  assert.deepEqual([byApp.status, byApp.recipients], ['awaiting_approval', 1])
  const byPerson = await ownOrder(bySegment, async ({ businessId }) => {
    const person = await testbed.appCaller({ businesses: [businessId], role: 'owner' })
    await person.get('segment.save', { segment_id, filter: others })
  })
  assert.deepEqual([byPerson.status, byPerson.recipients], ['completed', 1])
})

/** The last, because it takes the clock three weeks on. */
test('who does not say yes within three weeks is taken out of marketing, with the reason on record', async () => {
  const { businessId, owner, subscribers } = await campaignScene(testbed)
  const { db } = testbed
  await subscribers(3)
  const choice = { channel: 'email', gallery: 're-permission', slots: { sender: 'Jo' } }
  const { campaign_id } = await owner.get<{ campaign_id: string }>('campaign.generate', choice)
  await deployPlanned(owner, { campaign_id })
  const campaignId = parseId('campaign', campaign_id)
  const sent = () =>
    db.one<{ n: number }>(sql`
      select count(*)::int as n from messages
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and state in ('accepted', 'delivered')
    `)
  await eventually(sent, ({ n }) => n === 3)
  // A yes on the preference page is recorded anew.
  await db.run(sql`
    insert into consent_events (business_id, contact_id, id, channel, action, source, created_at)
    select business_id, id, gen_random_uuid(), 'email', 'subscribed', 'preference page', ${clock.now()}
    from contacts where business_id = ${businessId} and email = 'who-1@example.com'
  `)
  const consents = () =>
    db.all<{ email: string; consent: string }>(sql`
      select email, email_consent as consent from contacts
      where business_id = ${businessId} order by email
    `)
  clock.forward(days(20))
  assert.ok((await consents()).every(({ consent }) => consent === 'subscribed'))
  clock.forward(days(1) + minutes(1))
  const after = await eventually(consents, (rows) => {
    return rows.filter(({ consent }) => consent === 'unsubscribed').length === 2
  })
  assert.equal(after.find(({ email }) => email === 'who-1@example.com')?.consent, 'subscribed')
  const reasons = await db.all<{ source: string }>(sql`
    select source from consent_events
    where business_id = ${businessId} and action = 'unsubscribed'
  `)
  assert.equal(reasons.length, 2)
  for (const { source } of reasons) {
    assert.ok(source.startsWith(`no answer within 21 days to ${campaign_id}`), source)
  }
})
