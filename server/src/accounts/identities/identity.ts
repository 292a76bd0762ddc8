/** A person sees the company accounts that are linked to their own, and unlinks one. */
import { refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Sql, Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { type FactorNotices, tellOwners } from '../factors/notice.ts'
import { checkOwnFactor, recordOfPerson } from '../factors/own-factor.ts'
import { lockUser, readEmail } from '../members/user-queries.ts'
import { checkOtherWay } from './company-only.ts'

/** A person has one for each company. */
const mostShown = 100

const issuerField = Type.String({
  maxLength: 500,
  description: 'The identity provider, as it names itself.',
})
const subjectField = Type.String({
  maxLength: 255,
  description: 'Who the person is there (OpenID Connect, `sub`).',
})

export const identityList = operation({
  name: 'identity.list',
  title: 'List company accounts',
  summary:
    'The accounts at identity providers by which the person can sign in, the first one first.',
  reach: 'person',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/identities',
  input: {},
  output: Type.Object({
    identities: Type.Array(
      Type.Object({
        issuer: issuerField,
        subject: subjectField,
        linked_at: Type.String(),
        last_used_at: Type.String(),
      }),
    ),
  }),

  async run({ db, principal }) {
    const rows = await db.all<{
      issuer: string
      subject: string
      linkedAt: Date
      usedAt: Date
    }>(sql`
      select issuer, subject, created_at as "linkedAt", last_used_at as "usedAt"
      from identities where user_id = ${principal.userId}
      order by created_at, issuer, subject
      limit ${mostShown}
    `)
    const identities = rows.map(({ issuer, subject, linkedAt, usedAt }) => ({
      issuer,
      subject,
      linked_at: linkedAt.toISOString(),
      last_used_at: usedAt.toISOString(),
    }))
    return { identities }
  },
})

export function identityUnlink({
  notices,
  issuer: ownIssuer,
}: {
  notices: FactorNotices
  /** The provider of the installation, as it names itself; undefined if there is none. */
  issuer: string | undefined
}) {
  return operation({
    name: 'identity.unlink',
    title: 'Unlink a company account',
    summary:
      'The account at the identity provider signs the person in no more, and the other browsers that it signed in are signed out. They and the owners are told by mail.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'A company account is unlinked',
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'POST /v1/identities/unlink',
    input: { issuer: issuerField, subject: subjectField },
    output: Type.Object({}),

    async run(context, { issuer, subject }) {
      await checkOwnFactor(context)
      const { principal, write, now, origin } = context
      const { userId, sessionId = null } = principal
      return write(async (tx) => {
        await lockUser(tx, userId)
        // Where the company is the only way in, nothing would be left.
        const email = (await readEmail(tx, userId)) ?? ''
        await checkOtherWay(tx, { email })
        const which = sqlWithin`issuer = ${issuer} and subject = ${subject}`
        const unlinked = await removeIdentities(tx, userId, { which, now })
        if (unlinked === 0) throw noSuchIdentity()
        await tx.run(sql`
          delete from sessions
          where user_id = ${userId} and issuer = ${issuer} and subject = ${subject}
            and id is distinct from ${sessionId}::uuid
        `)
        const details = { business: URL.parse(issuer)?.hostname ?? issuer }
        await notices.queue(tx, { userId, event: 'unlinked', details, now })
        // Nobody notices any more when the person leaves there.
        const isOwn = issuer === ownIssuer
        for (const { businessId } of await businessesAt(tx, { userId, issuer, isOwn })) {
          const news = { businessId, event: 'member_unlinked', userId, email, now } as const
          await tellOwners(tx, notices, news)
        }
        await recordOfPerson(
          tx,
          { userId, action: 'identity.unlink', origin, details: { issuer } },
          now,
        )
        return {}
      })
    },
  })
}

/** Unlinks those that the condition names, and remembers whose they were; returns how many. */
export function removeIdentities(
  tx: Tx,
  userId: Id<'user'>,
  { which, now }: { which: Sql; now: Date },
): Promise<number> {
  return tx.run(sqlWithin`
    with unlinked as (
      delete from identities where user_id = ${userId} and ${which}
      returning issuer, subject, user_id
    )
    insert into past_identities (issuer, subject, user_id, unlinked_at)
    select issuer, subject, user_id, ${now} from unlinked
    on conflict (issuer, subject, user_id) do update set unlinked_at = excluded.unlinked_at
  `)
}

/** The person's businesses whose provider it is; for that of the installation, all without one. */
function businessesAt(
  db: Db,
  { userId, issuer, isOwn }: { userId: Id<'user'>; issuer: string; isOwn: boolean },
): Promise<{ businessId: Id<'business'> }[]> {
  return db.all(sql`
    select m.business_id as "businessId" from memberships m
    where m.user_id = ${userId} and (
      exists (
        select from identity_providers p where p.business_id = m.business_id and p.issuer = ${issuer}
      ) or ${isOwn} and not exists (
        select from identity_providers p where p.business_id = m.business_id
      )
    )
    order by 1
  `)
}

const noSuchIdentity = () =>
  refuse('not_found', 'You have no such company account. It may have been unlinked already.', {
    field: 'subject',
  })
