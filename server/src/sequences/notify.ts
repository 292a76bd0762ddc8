/**
 * The steps that tell the business's own people: members by mail, a program by an event that only the
 * named webhook gets. Both are queued in the transaction that does the step.
 */
import { mailLanguageOf } from '../accounts/businesses/mail-language.ts'
import { readPerson } from '../contacts/recipients.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { type Hmac, type Role, roles } from '../core/operation.ts'
import { emitAll } from '../events/emit.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Db } from '../lib/db/types.ts'
import type { Mailer } from '../lib/email/mailer.ts'
import { serviceMail } from '../lib/email/service-mail.ts'
import { enqueue, type Job, type JobKinds } from '../lib/jobs/job.ts'
import { countAttempt } from '../lib/rate-limit/attempts.ts'
import { type Clock, hours, minutes, seconds } from '../lib/time/clock.ts'
import { type Person, pass, type Round } from './inside.ts'
import { sequenceLimits } from './limits.ts'
import type { Instruction } from './program.ts'
import type { NotifyStep } from './steps.ts'

const noteJob = 'sequence.note'

interface NotePayload {
  business_id: Id<'business'>
  sequence_id: Id<'sequence'>
  contact_id: Id<'contact'>
  user_id: Id<'user'>
  note: string | null
}

interface Notifying {
  step: NotifyStep
  staying: readonly Person[]
}

export async function notify(
  { tx, key, sequence, version, done, now }: Round,
  { n, next }: Instruction,
  { step: { notify: notice }, staying }: Notifying,
): Promise<void> {
  const { members = [], webhook_id: webhookId, note = null } = notice
  const userIds = members.length > 0 ? await usersOf(tx, key.businessId, members) : []
  const jobs = staying.flatMap(({ contactId }) =>
    userIds.map((userId) => {
      const payload: NotePayload = {
        business_id: key.businessId,
        sequence_id: key.sequenceId,
        contact_id: contactId,
        user_id: userId,
        note,
      }
      return { kind: noteJob, businessId: key.businessId, payload }
    }),
  )
  await enqueue(tx, jobs, now)
  if (webhookId !== undefined) {
    await emitAll(
      tx,
      staying.map(({ contactId, enteredAt }) => ({
        businessId: key.businessId,
        type: 'sequence.notified',
        data: {
          sequence_id: formatId('sequence', key.sequenceId),
          name: sequence.name,
          version: version.version,
          contact_id: formatId('contact', contactId),
          entered_at: enteredAt.toISOString(),
          step: n,
          note,
          webhook_id: webhookId,
        },
      })),
      now,
    )
  }
  for (const person of staying) {
    done.push({ entryId: person.id, step: n, outcome: 'done', reason: null, messageId: null })
    pass(person, next, now)
  }
}

/** The members that a step names by their role or id, each once. */
export async function usersOf(
  db: Db,
  businessId: Id<'business'>,
  members: readonly string[],
): Promise<Id<'user'>[]> {
  const ids = members.flatMap((member) => parseId('user', member) ?? [])
  const chosen = members.filter((member) => roles.includes(member as Role))
  const rows = await db.all<{ id: Id<'user'> }>(sql`
    select user_id as id from memberships
    where business_id = ${businessId}
      and (role = any(${chosen}::text[]) or user_id = any(${ids}::uuid[]))
    order by user_id
  `)
  return rows.map(({ id }) => id)
}

export interface NoteDeps {
  db: Database
  clock: Clock
  hmac: Hmac
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

const noteRetries = [seconds(30), minutes(5), hours(1), hours(6)]

export function noteJobs(deps: NoteDeps): JobKinds {
  return {
    [noteJob]: {
      retryDelays: noteRetries,
      timeoutMs: seconds(60),
      run: (job) => sendNote(deps, job as Job<NotePayload>),
    },
  }
}

/** Sends nothing about somebody who was erased, nor to somebody who is no member any more. */
async function sendNote(
  { db, clock, hmac, mailer, urls, mailFrom }: NoteDeps,
  { id: jobId, attempt, payload }: Job<NotePayload>,
): Promise<void> {
  const { business_id: businessId, sequence_id, contact_id: contactId, user_id, note } = payload
  const [person, addressee, language] = await Promise.all([
    readPerson(db, { businessId, contactId }),
    findAddressee(db, { businessId, sequenceId: sequence_id, userId: user_id }),
    mailLanguageOf(db, businessId),
  ])
  if (!person || !addressee) return
  if (attempt === 1) {
    const subject = `${businessId} ${user_id}`
    const limit = { limit: sequenceLimits.notesADay, windowMs: hours(24), now: clock.now() }
    const over = await countAttempt(db, { hmac }, { purpose: 'sequence-note', subject, ...limit })
    if (over) return
  }
  const path = `/b/${formatId('business', businessId)}/contacts/${formatId('contact', contactId)}`
  // Loaded with the first mail, since few automations tell members.
  const { noteWords } = await import('./note-words.ts')
  const words = noteWords(language, {
    person: person.name ?? person.email ?? person.phone ?? '',
    automation: addressee.name,
    business: addressee.businessName,
    note,
  })
  const mail = serviceMail({ ...words, url: `${urls.appUrl}${path}`, language })
  const name = `${formatId('sequence', sequence_id)}.${jobId}`
  await mailer.send({ name, from: mailFrom, to: addressee.email, ...mail })
}

interface Addressee {
  email: string
  /** The sequence's. */
  name: string
  businessName: string
}

function findAddressee(
  db: Db,
  {
    businessId,
    sequenceId,
    userId,
  }: { businessId: Id<'business'>; sequenceId: Id<'sequence'>; userId: Id<'user'> },
): Promise<Addressee | undefined> {
  return db.maybe(sql`
    select u.email, s.name, b.name as "businessName"
    from memberships m
    join users u on u.id = m.user_id
    join businesses b on b.id = m.business_id
    join sequences s on s.business_id = m.business_id and s.id = ${sequenceId}
    where m.business_id = ${businessId} and m.user_id = ${userId}
  `)
}
