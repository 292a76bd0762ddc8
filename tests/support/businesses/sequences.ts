/** Sequences of one business: people, mails, and time that a test moves. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { contactUpsert } from 'crier-server/contacts/upsert.ts'
import { newId } from 'crier-server/core/ids.ts'
import { createFanOut } from 'crier-server/events/fan-out.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import type { Job } from 'crier-server/lib/jobs/job.ts'
import type { Clock } from 'crier-server/lib/time/clock.ts'
import type { TextSender } from 'crier-server/messages/dependencies.ts'
import type { WarmUp } from 'crier-server/sender-domains/model/warm-up.ts'
import type { Sender, Senders } from 'crier-server/sender-domains/senders/senders.ts'
import { sequenceDecide } from 'crier-server/sequences/decide.ts'
import { followSequences } from 'crier-server/sequences/enter.ts'
import { sequenceGet } from 'crier-server/sequences/get.ts'
import { sequencePreview } from 'crier-server/sequences/preview.ts'
import { sequenceJobs } from 'crier-server/sequences/run.ts'
import { sequenceSave } from 'crier-server/sequences/save.ts'
import { sequenceStart } from 'crier-server/sequences/start.ts'
import type { Templates } from 'crier-server/templates/compile.ts'
import { templateSave } from 'crier-server/templates/save.ts'
import { callerAs, callerIn, testVault } from '../clients/calls.ts'
import { ManualClock } from '../time/manual-clock.ts'
import { newBusiness } from './business.ts'
import { claimFanOuts } from './fan-out.ts'

const { hmac } = testVault
export const testSender: Sender = {
  from: 'Shop <hello@shop.example>',
  domain: 'shop.example',
  keys: [],
  verified: true,
  marketing: true,
}
export const testTextSender: TextSender = { from: '+15005550006', marketing: true }
interface Shown {
  sender: Sender
  senders?: Senders | undefined
  textSender: TextSender
  warmUp?: WarmUp | undefined
}
/** What the businesses of tests send from, which a test may change for a while. */
export const shown: Shown = { sender: testSender, textSender: testTextSender }
const parts = {
  senders: {
    senderOf: async (...which: Parameters<Senders['senderOf']>) =>
      shown.senders ? shown.senders.senderOf(...which) : shown.sender,
  },
  textSenders: { textSenderOf: async () => shown.textSender },
  warmUpOf: async () => shown.warmUp,
  appUrl: 'https://app.example',
}
export const start = sequenceStart(parts)
export const preview = sequencePreview(parts)
export const decide = sequenceDecide(parts)

export interface SavedSequence {
  sequence_id: string
  status: string
  version: number
  running_version: number | null
  pause_reason: string | null
  people: {
    inside: number
    finished: number
    holdout: number
    left: { reason: string; count: number }[]
  }
  approval_reason?: string
  approval_url?: string
}

interface SceneParts<C> {
  db: Database
  templates: Templates
  /** One that stands still by default. */
  clock?: C
}

/** A business with templates, its people, and the jobs of its sequences, run by hand. */
export async function sequenceScene<C extends Clock = ManualClock>({
  db,
  templates,
  clock = new ManualClock() as Clock as C,
}: SceneParts<C>) {
  const id = await newBusiness(db)
  await db.run(sql`
    update businesses set deploy_limit = 1000, postal_address = '1 Example Street',
      time_zone = 'Europe/Berlin' where id = ${id}
  `)
  const caller = callerIn({ db, clock }, id)
  const userId = newId('user')
  const person = callerAs(
    { db, clock },
    {
      connectionId: null,
      userId,
      scopes: new Set(['audience:read', 'audience:write', 'messaging:send']),
      businesses: [{ id, name: 'Shop', tier: 'scale', role: 'owner' }],
    },
  )
  const template = async (subject: string) => {
    const saved = await caller.get<{ template_id: string }>(templateSave({ templates }), {
      name: subject,
      subject,
      html: `<p>${subject}</p>`,
    })
    return { send: { template_id: saved.template_id } }
  }
  const textTemplate = async (text: string) => {
    const saved = await caller.get<{ template_id: string }>(templateSave({ templates }), {
      name: text,
      channel: 'sms',
      text,
    })
    return { send: { template_id: saved.template_id }, channel: 'sms' as const }
  }
  const kind = sequenceJobs({ ...parts, db, clock, hmac, wake: () => undefined })['sequence.run']
  assert.ok(kind)
  const follow = followSequences({ hmac })
  /** Places the events that wait, and runs the jobs that are due, until nothing is left. */
  const settle = async () => {
    for (let rounds = 0; rounds < 100; rounds++) {
      const fanOuts = await claimFanOuts(db)
      await Promise.all(fanOuts.map(createFanOut({ db, clock, follow })))
      const jobs = await db.all<Job>(sql`
        update jobs set lease = ${randomUUID()}
        where kind = 'sequence.run' and lease is null and due_at <= ${clock.now()}
        returning shard, id, kind, lane as "laneId", payload, due_at as "dueAt",
          attempt + 1 as attempt, lease
      `)
      for (const job of jobs) await kind.run(job, new AbortController().signal)
      if (fanOuts.length + jobs.length === 0) return
    }
    assert.fail('it never settles')
  }
  return {
    db,
    id,
    clock,
    caller,
    person,
    template,
    textTemplate,
    settle,
    async pass(milliseconds: number) {
      assert.ok(clock instanceof ManualClock)
      clock.forward(milliseconds)
      await settle()
    },
    async begin(input: object, how: object = {}) {
      const saved = await caller.get<SavedSequence>(sequenceSave({ templates }), {
        name: `S ${randomUUID()}`,
        ...input,
      })
      const { sequence_id } = saved
      const started = await person.get<SavedSequence>(start, { sequence_id, ...how })
      assert.equal(started.status, 'running')
      return sequence_id
    },
    async agree(name: string, more: object = {}) {
      const email = `${name}@example.com`
      const consent = { email: { status: 'subscribed', source: 'shop' } }
      const { contact_id } = await caller.get<{ contact_id: string }>(contactUpsert, {
        email,
        consent,
        ...more,
      })
      return contact_id
    },
    /** What each address got, by the subject of its template. */
    async got(name: string) {
      const rows = await db.all<{ name: string; at: Date; variables: { event: object } }>(sql`
        select t.name, m.created_at as at, c.variables from messages m
        join templates t on t.business_id = m.business_id and t.id = m.template_id
        join message_contents c on c.business_id = m.business_id and c.message_id = m.id
        where m.business_id = ${id} and m.recipient = ${`${name}@example.com`} order by m.id
      `)
      return rows
    },
    names: async (name: string) =>
      (
        await db.all<{ name: string }>(sql`
          select t.name from messages m
          join templates t on t.business_id = m.business_id and t.id = m.template_id
          where m.business_id = ${id} and m.recipient = ${`${name}@example.com`} order by m.id
        `)
      ).map((row) => row.name),
    peopleOf: async (sequence_id: string) =>
      (await caller.get<SavedSequence>(sequenceGet, { sequence_id })).people,
  }
}
