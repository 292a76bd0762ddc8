/** What only the person who runs the installation can do in the app. */

import type { ListedBusiness } from '../../accounts/businesses/overview.ts'
import { tierLimits } from '../../accounts/businesses/tiers.ts'
import { setAndCount } from '../../accounts/settings/settings.ts'
import { pastVolume } from '../../config/past-volume.ts'
import { isRefusal, orRefusal, refuse } from '../../core/errors.ts'
import { formatId, parseId } from '../../core/ids.ts'
import { type Operation, operation, type Tier, tiers } from '../../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../../core/paging.ts'
import { untrusted } from '../../core/untrusted.ts'
import { recordAudit } from '../../events/audit.ts'
import { queueHealth } from '../../lib/jobs/health.ts'
import { Type } from '../../lib/schema/schema.ts'
import type { UsageNow } from '../../usage/overview.ts'
import { changeHints, forOperator, readHints } from './common.ts'
import { type MailFacility, operatorMail } from './mail.ts'
import { type OperatorIdentity, requireOperator } from './operator-only.ts'

export const operatorOperations = (facility: MailFacility): Operation[] => [
  operatorBusinesses(facility),
  operatorSetTier(facility),
  operatorTiers(facility),
  operatorJobs(facility),
  operatorRetryJobs(facility),
  operatorMail(facility),
  operatorLiftPause(facility),
  operatorVolumes(facility),
  operatorAnswerVolume(facility),
]

const operatorBusinesses = (identity: OperatorIdentity) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.businesses',
    title: 'List all businesses',
    summary:
      'For the operator: every business with its owners, tier, contacts and what it sent this month, newest first.',
    hints: readHints,
    rest: 'GET /v1/operator/businesses',
    input: {
      ...pageInput,
      search: Type.Optional(
        Type.String({ maxLength: 200, description: 'Part of a name or of a member’s address.' }),
      ),
      tier: Type.Optional(Type.Enum(tiers)),
    },
    output: Type.Object({
      businesses: Type.Array(
        Type.Object({
          business_id: Type.String(),
          name: Type.String(),
          tier: Type.Unsafe<Tier>(Type.String()),
          owners: Type.Array(Type.String(), { description: 'At most three.' }),
          members: Type.Integer(),
          created_at: Type.String(),
          contacts: Type.Integer(),
          emails_this_month: Type.Integer(),
          sms_this_month: Type.Integer(),
        }),
      ),
      next_cursor: nextCursor,
    }),

    async run({ db, principal, now }, { search = '', tier, ...paging }) {
      await requireOperator(identity, { db, principal })
      const page = pageOf('business', paging)
      const { listBusinesses } = await import('../../accounts/businesses/overview.ts')
      const { usageOfEach } = await import('../../usage/overview.ts')
      const text = search.trim().toLowerCase()
      const rows = await listBusinesses(db, { ...page, search: text, tier: tier ?? null })
      const { shown, next } = pageFrom('business', rows, page, (row) => viewOf(row))
      const used = await usageOfEach(
        db,
        shown.map(({ id }) => id),
        now,
      )
      return { businesses: shown.map((row) => viewOf(row, used.get(row.id))), ...next }
    },
  })

function viewOf(row: ListedBusiness, used: UsageNow = { contacts: 0, emails: 0, sms: 0 }) {
  return {
    business_id: formatId('business', row.id),
    name: row.name,
    tier: row.tier,
    owners: row.owners,
    members: row.members,
    created_at: row.createdAt.toISOString(),
    contacts: used.contacts,
    emails_this_month: used.emails,
    sms_this_month: used.sms,
  }
}

const operatorSetTier = (identity: OperatorIdentity) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.set_tier',
    title: 'Change the tier of a business',
    summary:
      'Changes the tier of a business, from its next call on. A business above the limits of its tier keeps what it has. Recorded in its audit log.',
    hints: changeHints,
    freshSignIn: 'A tier is changed',
    rest: 'POST /v1/operator/businesses/:of_business/tier',
    input: {
      of_business: Type.String({ maxLength: 40, description: 'bus_…' }),
      tier: Type.Enum(tiers),
    },
    output: Type.Object({ of_business: Type.String(), tier: Type.String() }),

    async run({ db, principal, now, write, origin }, { of_business, tier }) {
      await requireOperator(identity, { db, principal })
      const businessId = parseId('business', of_business)
      if (!businessId) throw noSuchBusiness(of_business)
      return write(async (tx) => {
        const set = await orRefusal(() =>
          setAndCount(tx, businessId, { key: 'tier', value: tier, now }),
        )
        if (isRefusal(set)) throw noSuchBusiness(of_business)
        const entry = { businessId, action: 'operator.set_tier', subject: of_business, origin }
        await recordAudit(tx, [{ ...entry, details: { tier } }], now)
        return { of_business, tier }
      })
    },
  })

const noSuchBusiness = (id: string) =>
  refuse('not_found', `There is no business ${id}.`, { field: 'of_business' })

const limit = Type.Union([Type.Integer(), Type.Null()])

const operatorTiers = (identity: OperatorIdentity) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.tiers',
    title: 'See the tiers',
    summary: 'For the operator: what each tier allows, and how many businesses have it.',
    hints: readHints,
    rest: 'GET /v1/operator/tiers',
    input: {},
    output: Type.Object({
      tiers: Type.Array(
        Type.Object({
          tier: Type.Enum(tiers),
          businesses: Type.Integer(),
          limits: Type.Object(
            {
              contacts: limit,
              emails: limit,
              sms: limit,
              domains: limit,
              webhooks: limit,
              members: limit,
            },
            { description: 'null is no limit; emails and sms by month.' },
          ),
        }),
      ),
    }),

    async run({ db, principal }) {
      await requireOperator(identity, { db, principal })
      const { countTiers } = await import('../../accounts/businesses/overview.ts')
      const counted = await countTiers(db)
      return {
        tiers: tiers.map((tier) => ({
          tier,
          businesses: counted.get(tier) ?? 0,
          limits: tierLimits[tier],
        })),
      }
    },
  })

const operatorVolumes = (identity: OperatorIdentity) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.volumes',
    title: 'See what domains are said to have sent',
    summary: 'For the operator: statements of past volume that wait for an answer, oldest first.',
    hints: readHints,
    rest: 'GET /v1/operator/volumes',
    input: {},
    output: Type.Object({
      volumes: Type.Array(
        Type.Object({
          business_id: Type.String(),
          domain: Type.String(),
          emails_per_day: Type.Integer(),
          begins_at_day: Type.Integer({ description: 'The day of the warm-up that matches.' }),
          stated_at: Type.String(),
          untrusted: untrusted({
            business_name: Type.String(),
            note: Type.Optional(Type.String()),
          }),
        }),
      ),
      is_part: Type.Boolean({ description: 'More may wait than are listed.' }),
    }),

    async run({ db, principal }) {
      await requireOperator(identity, { db, principal })
      const { waitingVolumes } = await import('../../sender-domains/volume/waiting.ts')
      const { headStartOf } = await import('../../messages/throttle/throttle.ts')
      const waiting = await waitingVolumes(db)
      return {
        volumes: waiting.map(
          ({ businessId, businessName, domain, emailsPerDay, note, statedAt }) => ({
            business_id: formatId('business', businessId),
            domain,
            emails_per_day: emailsPerDay,
            begins_at_day: headStartOf(emailsPerDay) + 1,
            stated_at: statedAt.toISOString(),
            untrusted: { business_name: businessName, ...(note !== null && { note }) },
          }),
        ),
        is_part: waiting.length === pastVolume.listed,
      }
    },
  })

const { least: minimum, most: maximum, noteLength } = pastVolume

const operatorAnswerVolume = (facility: MailFacility) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.answer_volume',
    title: 'Answer what a domain is said to have sent',
    summary:
      'Approves or refuses a statement of past volume. After an approval the warm-up starts at the matching day; crier domains volume withdraw undoes it.',
    hints: changeHints,
    rest: 'POST /v1/operator/volumes',
    input: {
      domain: Type.String({ maxLength: 300 }),
      approved_per_day: Type.Optional(
        Type.Integer({
          minimum,
          maximum,
          description: 'Mails a day. Without it, the statement is refused.',
        }),
      ),
      answer: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: noteLength,
          description: 'What the owner reads with it.',
        }),
      ),
    },
    output: Type.Object({
      domain: Type.String(),
      begins_at_day: Type.Integer({ description: 'The day of the warm-up; 1 after a refusal.' }),
    }),

    async run({ db, principal, now, write, origin }, { domain, approved_per_day, answer }) {
      await requireOperator(facility, { db, principal })
      const { waitingOrSame } = await import('../../sender-domains/volume/waiting.ts')
      const { headStartOf } = await import('../../messages/throttle/throttle.ts')
      const { decideStatement } = await import('./decide-volume.ts')
      const approved = approved_per_day ?? null
      const words = { approved, answer: answer ?? null }
      const waiting = await waitingOrSame(db, domain, words)
      const routes = facility.relays(now).map(({ name }) => name)
      if (!waiting.decidedAt) {
        await write((tx) => decideStatement(tx, waiting, { ...words, routes, origin, now }))
      }
      const begins_at_day = approved === null ? 1 : headStartOf(approved) + 1
      return { domain: waiting.domain, begins_at_day }
    },
  })

/** The most lines of each list; further ones are only counted. */
const listLength = 200

const operatorJobs = (identity: OperatorIdentity) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.jobs',
    title: 'See the jobs',
    summary:
      'For the operator: how long the oldest due job of each kind waits, and the failed jobs by kind and error.',
    hints: readHints,
    rest: 'GET /v1/operator/jobs',
    input: {},
    output: Type.Object({
      workers: Type.Integer({ description: 'Live workers; without one no job runs.' }),
      waiting: Type.Array(Type.Object({ kind: Type.String(), oldest_due_at: Type.String() })),
      failed: Type.Array(
        Type.Object({
          kind: Type.String(),
          fault: Type.Union([Type.String(), Type.Null()], {
            description: 'Class and code of the error; poison if its workers died.',
          }),
          jobs: Type.Integer(),
          since: Type.String(),
        }),
      ),
      more_failed: Type.Integer({ description: 'Further kinds and errors that are not listed.' }),
    }),

    async run({ db, principal, now }) {
      await requireOperator(identity, { db, principal })
      const { workers, waiting } = await queueHealth(db, now)
      const { listDead } = await import('../../lib/jobs/health.ts')
      const dead = await listDead(db)
      return {
        workers,
        waiting: waiting.slice(0, listLength).map(({ kind, oldestDueAt }) => ({
          kind,
          oldest_due_at: oldestDueAt.toISOString(),
        })),
        failed: dead.slice(0, listLength).map(({ kind, fault, jobs, oldest }) => ({
          kind,
          fault,
          jobs,
          since: oldest.toISOString(),
        })),
        more_failed: Math.max(0, dead.length - listLength),
      }
    },
  })

const operatorRetryJobs = (identity: OperatorIdentity) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.retry_jobs',
    title: 'Retry failed jobs',
    summary:
      'Retries all failed jobs of a kind, once their cause is fixed. Steps already done are not repeated.',
    hints: changeHints,
    rest: 'POST /v1/operator/jobs/retry',
    input: { kind: Type.String({ maxLength: 100 }) },
    output: Type.Object({ kind: Type.String(), retried: Type.Integer() }),

    async run({ db, principal, now, write }, { kind }) {
      await requireOperator(identity, { db, principal })
      const { releaseDead } = await import('../../lib/jobs/health.ts')
      return write(async (tx) => ({ kind, retried: await releaseDead(tx, kind, now) }))
    },
  })

const kinds = ['transactional', 'marketing'] as const

const operatorLiftPause = (identity: OperatorIdentity) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.lift_pause',
    title: 'Lift the pause of a stream',
    summary:
      'Resumes sending to a provider before its pause ends. It was paused because the provider refused the sender several times; more refusals harm the domain’s reputation.',
    hints: changeHints,
    rest: 'POST /v1/operator/mail/lift',
    input: {
      relay: Type.String({ maxLength: 300 }),
      domain: Type.String({ maxLength: 300 }),
      kind: Type.Enum(kinds),
      provider: Type.String({ maxLength: 300 }),
    },
    output: Type.Object({
      was_paused: Type.Boolean(),
      messages: Type.Integer({ description: 'How many go earlier.' }),
    }),

    async run({ db, principal, now, write }, { relay, domain, kind, provider }) {
      await requireOperator(identity, { db, principal })
      const { liftPause } = await import('../../messages/waiting/lift.ts')
      return write(async (tx) => {
        const messages = await liftPause(tx, { route: relay, domain, kind, provider }, { now })
        return { was_paused: messages !== undefined, messages: messages ?? 0 }
      })
    },
  })
