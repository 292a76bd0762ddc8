/**
 * A person changes the address by which they sign in. Both mailboxes confirm by a link, and for 7
 * days the old one can undo it. The answer is the same whether or not the new address has an account.
 */
import { withAccessChange } from '../../core/access-changes.ts'
import { orThrow, refuse } from '../../core/errors.ts'
import { checkCounts } from '../../core/fresh-factor.ts'
import { type Id, newId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { sameBytes, type Vault } from '../../lib/crypto/vault.ts'
import { sql, sqlWithin } from '../../lib/db/db.ts'
import type { Database, Db, Tx } from '../../lib/db/types.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import type { Mailer } from '../../lib/email/mailer.ts'
import { serviceMail } from '../../lib/email/service-mail.ts'
import { enqueue, type Job, type JobKinds } from '../../lib/jobs/job.ts'
import { countAttempt } from '../../lib/rate-limit/attempts.ts'
import { Type } from '../../lib/schema/schema.ts'
import { days, hours, later, seconds } from '../../lib/time/clock.ts'
import { hasFactor, ownFactors } from '../factors/factor.ts'
import { readerOf } from '../factors/notice.ts'
import { checkOwnFactor, recordOfPerson } from '../factors/own-factor.ts'
import { businessesThatAsk } from '../factors/waiting.ts'
import { checkOtherWay } from '../identities/company-only.ts'
import { removeIdentities } from '../identities/identity.ts'
import { findUserByEmail } from '../members/user.ts'
import { lockUser, readEmail } from '../members/user-queries.ts'
import type { AddressAct, AddressOutcome } from './address-words.ts'

/** How long the mailboxes have to confirm, and the old one to undo. */
const confirmFor = hours(24)
const undoFor = days(7)
const perDay = 3

const mailJob = 'people.address-mail'

export interface AddressChange {
  id: Id<'link'>
  userId: Id<'user'>
  oldEmail: string
  newEmail: string
  askedAt: Date
  expiresAt: Date
  oldConfirmedAt: Date | null
  newConfirmedAt: Date | null
  doneAt: Date | null
  undoneAt: Date | null
}

interface MailPayload {
  id: Id<'link'>
  act: AddressAct
}

interface ChangeDeps {
  db: Database
  vault: Pick<Vault, 'hmac'>
  /** Whether the operator requires a second factor of everybody. */
  isRequired: boolean
}

export function addressChange({ db, vault, isRequired }: ChangeDeps) {
  return operation({
    name: 'address.change',
    title: 'Change one’s address',
    summary:
      'Sends a link to the old and the new address of the person. Once both are confirmed, within 24 hours, the person signs in with the new one; for 7 days the old one can undo it.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'An address is changed',
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    rest: 'POST /v1/address',
    status: 202,
    input: { email: Type.String({ maxLength: 254 }) },
    output: Type.Object({ email: Type.String(), expires_at: Type.String() }),

    async run(context, { email: typed }) {
      await checkOwnFactor(context)
      const { principal, write, now, origin, appUrl } = context
      // Nobody takes the account to another mailbox before its person had time to notice.
      checkCounts(principal, { now, appUrl })
      const { userId } = principal
      await checkHasFactor(db, { userId, isRequired, now, appUrl })
      const newEmail = orThrow(normaliseEmail(typed))
      const attempt = { purpose: 'address-change', subject: userId, limit: perDay }
      const tooMany = await countAttempt(db, vault, { ...attempt, windowMs: days(1), now })
      if (tooMany) throw tooMany
      return write(async (tx) => {
        await lockUser(tx, userId)
        const oldEmail = (await readEmail(tx, userId)) ?? ''
        if (oldEmail === newEmail) throw sameAddress()
        // Nobody leaves the domain by themselves whose people sign in at their company.
        await checkOtherWay(tx, { email: oldEmail })
        await tx.run(sql`
          delete from address_changes where user_id = ${userId} and done_at is null
        `)
        const id = newId('link')
        const expiresAt = later(now, confirmFor)
        await tx.run(sql`
          insert into address_changes (id, user_id, old_email, new_email, asked_at, expires_at)
          values (${id}, ${userId}, ${oldEmail}, ${newEmail}, ${now}, ${expiresAt})
        `)
        await queueMails(tx, id, ['old', 'new'], now)
        await recordOfPerson(tx, { userId, action: 'address.change', origin }, now)
        return { email: newEmail, expires_at: expiresAt.toISOString() }
      })
    },
  })
}

/**
 * Throws a refusal where a business asks for a second factor and the person has none: whoever reads
 * their mailbox would move the address first, and the word of the factor set up next goes to that one.
 */
async function checkHasFactor(
  db: Db,
  {
    userId,
    isRequired,
    now,
    appUrl,
  }: { userId: Id<'user'>; isRequired: boolean; now: Date; appUrl: string },
): Promise<void> {
  if (hasFactor(await ownFactors(db, userId))) return
  const asking = await businessesThatAsk(db, { userId, isRequired, now })
  const business = asking.find(({ isNow }) => isNow)
  if (!business) return
  const url = `${appUrl}/confirm`
  const text = `${business.name} asks for a second factor, and you have none. Set one up at ${url}; once it counts, you can change your address.`
  throw refuse('access_denied', text, { data: { reason: 'second_factor' }, fix: { url } })
}

async function queueMails(tx: Tx, id: Id<'link'>, acts: AddressAct[], now: Date): Promise<void> {
  const jobs = acts.map((act) => ({
    kind: mailJob,
    businessId: null,
    payload: { id, act } satisfies MailPayload,
  }))
  await enqueue(tx, jobs, now)
}

/** The token of a link: it is computed when the mail is rendered, so that no row holds it. */
function macOf(vault: Pick<Vault, 'hmac'>, id: Id<'link'>, act: AddressAct): Buffer {
  return vault.hmac('address-change', `${act} ${id}`)
}

export const addressToken = (
  vault: Pick<Vault, 'hmac'>,
  { id, act }: { id: Id<'link'>; act: AddressAct },
): string => `${act}.${id}.${macOf(vault, id, act).toString('base64url')}`

/** Reads a link; throws a refusal for one that cannot be used now. */
export async function readAddressLink(
  db: Db,
  vault: Pick<Vault, 'hmac'>,
  { token, now }: { token: string; now: Date },
): Promise<{ change: AddressChange; act: AddressAct }> {
  const [act = '', id = '', mac = ''] = token.split('.')
  const isAct = act === 'old' || act === 'new' || act === 'undo'
  const isId = id.length === 36 && !/[^0-9a-f-]/.test(id)
  if (!isAct || !isId || !isOurs(vault, { id: id as Id<'link'>, act, mac })) throw noSuchLink()
  const change = await findChange(db, id as Id<'link'>)
  if (!change) throw noSuchLink()
  if (change.undoneAt)
    throw refuse('gone', 'This change of an address was undone already.', {
      data: { reason: 'address_undone' },
    })
  if (act === 'undo') {
    if (change.doneAt && later(change.doneAt, undoFor) > now) return { change, act }
    throw refuse('gone', 'A change of an address can be undone for 7 days.', {
      data: { reason: 'address_undo_over' },
    })
  }
  if (change.doneAt)
    throw refuse('gone', 'The address was changed already.', {
      data: { reason: 'address_changed' },
    })
  if (change.expiresAt <= now) {
    throw refuse('gone', 'This link has expired. Ask for the change again, under Sessions.', {
      data: { reason: 'address_expired' },
    })
  }
  return { change, act }
}

const isOurs = (
  vault: Pick<Vault, 'hmac'>,
  { id, act, mac }: { id: Id<'link'>; act: AddressAct; mac: string },
) => sameBytes(macOf(vault, id, act), Buffer.from(mac, 'base64url'))

/** Confirms one mailbox, changes the address once both have, or undoes it. */
export async function followAddressLink(
  { db, vault }: { db: Database; vault: Pick<Vault, 'hmac'> },
  query: { token: string; now: Date },
): Promise<AddressOutcome> {
  const { now } = query
  const read = await readAddressLink(db, vault, query)
  return db.tx(async (tx) => {
    await lockUser(tx, read.change.userId)
    const { change, act } = await readAddressLink(tx, vault, query)
    const { id, userId } = change
    if (act === 'undo') {
      await setAddress(tx, userId, change.oldEmail)
      // Whoever moved the address on from the new one can neither confirm nor undo that any more.
      await tx.run(sql`
        update address_changes set undone_at = ${now}
        where user_id = ${userId} and undone_at is null
          and (id = ${id} or done_at is null or done_at >= ${change.doneAt})
      `)
      // Whoever changed it is signed out, and links to the new address end.
      await tx.run(sql`delete from sessions where user_id = ${userId}`)
      await endSetUpSince(tx, { userId, since: change.askedAt, now })
      await recordOfPerson(tx, { userId, action: 'address.undo' }, now)
      return 'undone'
    }
    const confirmed = await tx.one<AddressChange>(sql`
      update address_changes
      set old_confirmed_at = coalesce(old_confirmed_at, case when ${act} = 'old' then ${now}::timestamptz end),
        new_confirmed_at = coalesce(new_confirmed_at, case when ${act} = 'new' then ${now}::timestamptz end)
      where id = ${id}
      returning old_confirmed_at as "oldConfirmedAt", new_confirmed_at as "newConfirmedAt"
    `)
    if (!confirmed.oldConfirmedAt || !confirmed.newConfirmedAt) return 'waits'
    if ((await readEmail(tx, userId)) !== change.oldEmail) {
      throw refuse(
        'gone',
        'The address was changed otherwise meanwhile. Ask for the change again.',
        {
          data: { reason: 'address_changed_otherwise' },
        },
      )
    }
    await setAddress(tx, userId, change.newEmail)
    await tx.run(sql`update address_changes set done_at = ${now} where id = ${id}`)
    await queueMails(tx, id, ['undo'], now)
    await recordOfPerson(tx, { userId, action: 'address.changed' }, now)
    return 'changed'
  })
}

async function setAddress(tx: Tx, userId: Id<'user'>, email: string): Promise<void> {
  const other = await findUserByEmail(tx, email)
  if (other && other.id !== userId) {
    throw refuse('conflict', 'This address belongs to another account by now.', {
      data: { reason: 'address_taken' },
    })
  }
  await tx.run(sql`update users set email = ${email} where id = ${userId}`)
}

/**
 * Ends what was set up since the change was asked for, by whoever asked: factors, links to company
 * accounts, apps and API keys. The person sets up again what was their own.
 */
async function endSetUpSince(
  tx: Tx,
  { userId, since, now }: { userId: Id<'user'>; since: Date; now: Date },
): Promise<void> {
  await tx.run(sql`delete from passkeys where user_id = ${userId} and created_at >= ${since}`)
  await tx.run(sql`
    delete from authenticator_apps where user_id = ${userId} and added_at >= ${since}
  `)
  await tx.run(sql`delete from recovery_codes where user_id = ${userId} and made_at >= ${since}`)
  await removeIdentities(tx, userId, { which: sqlWithin`created_at >= ${since}`, now })
  const ending = sql`
    update connections set revoked_at = ${now}, revoked_by = 'address_undone'
    where user_id = ${userId} and revoked_at is null and created_at >= ${since}
    returning id as subject
  `
  await tx.run(withAccessChange(ending, now))
}

function findChange(db: Db, id: Id<'link'>): Promise<AddressChange | undefined> {
  return db.maybe(sql`
    select id, user_id as "userId", old_email as "oldEmail", new_email as "newEmail",
      asked_at as "askedAt", expires_at as "expiresAt", old_confirmed_at as "oldConfirmedAt",
      new_confirmed_at as "newConfirmedAt", done_at as "doneAt", undone_at as "undoneAt"
    from address_changes where id = ${id}
  `)
}

/**
 * Deletes changes that can neither be confirmed nor undone any more. Of somebody whom an owner removed
 * their former addresses are remembered as the last one is, so that none of them brings them back.
 */
export function sweepAddressChanges(db: Db, now: Date): Promise<number> {
  return db.run(sql`
    delete from address_changes a
    where expires_at < ${later(now, -undoFor)}
      and (done_at is null or not exists (
        select from removed_members r where r.user_id = a.user_id
      ))
  `)
}

export function addressMailJobs({
  db,
  vault,
  mailer,
  urls,
  mailFrom,
}: {
  db: Db
  vault: Pick<Vault, 'hmac'>
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}): JobKinds {
  return {
    [mailJob]: {
      retryDelays: [seconds(30), seconds(300), hours(1)],
      timeoutMs: seconds(60),
      async run(job) {
        const { id, act } = (job as Job<MailPayload>).payload
        const change = await findChange(db, id)
        if (!change || change.undoneAt || (change.doneAt !== null) !== (act === 'undo')) return
        // Who has an account already gets nothing, and whoever asked learns nothing.
        if (act === 'new' && (await findUserByEmail(db, change.newEmail))) return
        const { language = 'en' } = (await readerOf(db, change.userId)) ?? {}
        const { addressMailWords } = await import('./address-words.ts')
        const words = addressMailWords(language, act, change)
        const url = `${urls.appUrl}/address/${addressToken(vault, { id, act })}`
        const to = act === 'new' ? change.newEmail : change.oldEmail
        const mail = serviceMail({ ...words, url, language })
        await mailer.send({ name: `address.${job.id}`, from: mailFrom, to, ...mail })
      },
    },
  }
}

const noSuchLink = () =>
  refuse('not_found', 'There is no such link. Copy the whole link from the mail.', {
    data: { reason: 'no_address_link' },
  })

const sameAddress = () =>
  refuse('conflict', 'This is your address already.', {
    field: 'email',
    data: { reason: 'same_address' },
  })
