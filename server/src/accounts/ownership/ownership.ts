/**
 * A business goes to another owner: its owner offers it to a member, who accepts it within 7 days.
 * Then the member is owner and the former owner an admin.
 */
import { refuse } from '../../core/errors.ts'
import { formatId, type Id, parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { days, later } from '../../lib/time/clock.ts'
import { addMember, roleOf } from '../businesses/memberships.ts'
import type { FactorNotices } from '../factors/notice.ts'
import { checkOwnFactor } from '../factors/own-factor.ts'
import { emailOf } from '../members/user.ts'

const acceptFor = days(7)

interface Offer {
  fromUser: Id<'user'>
  toUser: Id<'user'>
  expiresAt: Date
}

const offerView = Type.Union([
  Type.Object({
    from: Type.String(),
    to: Type.String(),
    is_to_you: Type.Boolean(),
    expires_at: Type.String(),
  }),
  Type.Null(),
])

export function ownershipOffer({ notices }: { notices: FactorNotices }) {
  return operation({
    name: 'ownership.offer',
    title: 'Offer a business to another owner',
    summary:
      'Offers the business to a member, who accepts it within 7 days; then the person who offered it is an admin. Both are told by mail.',
    reach: 'business',
    scope: 'meta:read',
    role: 'owner',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'A business is offered',
    freshFactor: 'members',
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    rest: 'POST /v1/ownership/offer',
    input: { user_id: Type.String({ description: 'usr_…' }) },
    output: Type.Object({ expires_at: Type.String() }),

    async run(context, { user_id }) {
      await checkOwnFactor(context)
      const { db, business, principal, now, write, origin } = context
      const toUser = parseId('user', user_id)
      if (!toUser || (await roleOf(db, business.id, toUser)) === undefined) {
        throw refuse('not_found', `The business has no member ${user_id}.`, { field: 'user_id' })
      }
      const fromUser = principal.userId
      if (toUser === fromUser) throw ownsIt()
      const expiresAt = later(now, acceptFor)
      return write(async (tx) => {
        await tx.run(sql`
          insert into ownership_offers (business_id, from_user, to_user, offered_at, expires_at)
          values (${business.id}, ${fromUser}, ${toUser}, ${now}, ${expiresAt})
          on conflict (business_id) do update
          set from_user = excluded.from_user, to_user = excluded.to_user,
            offered_at = excluded.offered_at, expires_at = excluded.expires_at
        `)
        const [from = '', to = ''] = [await emailOf(tx, fromUser), await emailOf(tx, toUser)]
        const shown = { business: business.name, at: expiresAt.toISOString() }
        const offered = { ...shown, email: from }
        await notices.queue(tx, { userId: toUser, event: 'offered', details: offered, now })
        const own = { ...shown, email: to }
        await notices.queue(tx, { userId: fromUser, event: 'offered_by_you', details: own, now })
        const entry = { businessId: business.id, action: 'ownership.offer', subject: user_id }
        await recordAudit(tx, [{ ...entry, origin }], now)
        return { expires_at: expiresAt.toISOString() }
      })
    },
  })
}

export const ownershipGet = operation({
  name: 'ownership.get',
  title: 'See the offer of a business',
  summary: 'The offer of the business to another owner, for the two people whom it concerns.',
  reach: 'business',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/ownership',
  input: {},
  output: Type.Object({ offer: offerView }),

  async run({ db, business, principal, now }) {
    const offer = await findOffer(db, business.id, now)
    const { userId } = principal
    if (!offer || ![offer.fromUser, offer.toUser].includes(userId)) return { offer: null }
    return {
      offer: {
        from: (await emailOf(db, offer.fromUser)) ?? '',
        to: (await emailOf(db, offer.toUser)) ?? '',
        is_to_you: offer.toUser === userId,
        expires_at: offer.expiresAt.toISOString(),
      },
    }
  },
})

export function ownershipAnswer({ notices }: { notices: FactorNotices }) {
  return operation({
    name: 'ownership.answer',
    title: 'Accept or decline a business',
    summary:
      'The member to whom the business is offered becomes its owner, and the person who offered it an admin; or the offer ends. Whoever offered it can end it too.',
    reach: 'business',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'A business is taken over',
    freshFactor: 'members',
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    rest: 'POST /v1/ownership/answer',
    input: { accept: Type.Boolean() },
    output: Type.Object({ accepted: Type.Boolean() }),

    async run(context, { accept }) {
      await checkOwnFactor(context)
      const { business, principal, now, write, origin } = context
      const { userId } = principal
      return write(async (tx) => {
        const offer = await findOffer(tx, business.id, now)
        const isTheirs = offer?.toUser === userId || (!accept && offer?.fromUser === userId)
        if (!offer || !isTheirs) throw noOffer()
        await tx.run(sql`delete from ownership_offers where business_id = ${business.id}`)
        const subject = formatId('user', offer.toUser)
        const entry = { businessId: business.id, subject, origin }
        if (!accept) {
          await recordAudit(tx, [{ ...entry, action: 'ownership.decline' }], now)
          return { accepted: false }
        }
        // Whoever offered it may be no owner any more.
        if ((await roleOf(tx, business.id, offer.fromUser)) !== 'owner') throw noOffer()
        await addMember(tx, business.id, { userId, role: 'owner', now })
        await addMember(tx, business.id, { userId: offer.fromUser, role: 'admin', now })
        const details = { business: business.name, email: (await emailOf(tx, userId)) ?? '' }
        for (const reader of [offer.fromUser, userId]) {
          await notices.queue(tx, { userId: reader, event: 'transferred', details, now })
        }
        await recordAudit(tx, [{ ...entry, action: 'ownership.accept' }], now)
        return { accepted: true }
      })
    },
  })
}

function findOffer(db: Db, businessId: Id<'business'>, now: Date): Promise<Offer | undefined> {
  return db.maybe(sql`
    select from_user as "fromUser", to_user as "toUser", expires_at as "expiresAt"
    from ownership_offers where business_id = ${businessId} and expires_at > ${now}
  `)
}

const ownsIt = () =>
  refuse('conflict', 'You own this business already.', { data: { reason: 'own_business' } })

const noOffer = () =>
  refuse('conflict', 'This business is not offered to you, or the offer has ended.', {
    data: { reason: 'no_offer' },
  })
