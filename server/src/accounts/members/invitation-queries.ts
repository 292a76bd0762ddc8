/** Statements about invitations. */

import type { Id } from '../../core/ids.ts'
import type { Role } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export interface NewInvitation {
  id: Id<'invitation'>
  email: string
  role: Role
  invitedBy: Id<'user'>
  now: Date
  expiresAt: Date
}

/** A pending invitation of the same address is replaced by the new one, under the new id. */
export function saveInvitation(
  db: Db,
  businessId: Id<'business'>,
  invitation: NewInvitation,
): Promise<number> {
  return db.run(sql`
    insert into invitations (business_id, id, email, role, invited_by, created_at, expires_at)
    values (${businessId}, ${invitation.id}, ${invitation.email}, ${invitation.role}, ${invitation.invitedBy}, ${invitation.now},
      ${invitation.expiresAt})
    on conflict (business_id, email) do update
    set id = excluded.id, role = excluded.role, invited_by = excluded.invited_by,
      created_at = excluded.created_at, expires_at = excluded.expires_at
  `)
}

export interface PendingInvitation {
  id: Id<'invitation'>
  email: string
  role: Role
  createdAt: Date
  expiresAt: Date
}

/** Lists pending invitations whose inviter is still an owner, newest first. */
export function selectInvitations(
  db: Db,
  businessId: Id<'business'>,
  { now, limit }: { now: Date; limit: number },
): Promise<PendingInvitation[]> {
  return db.all(sql`
    select i.id, i.email, i.role, i.created_at as "createdAt", i.expires_at as "expiresAt"
    from invitations i
    join memberships m on m.business_id = i.business_id and m.user_id = i.invited_by
    where i.business_id = ${businessId} and i.expires_at > ${now} and m.role = 'owner'
    order by i.id desc
    limit ${limit}
  `)
}

/** The number of pending invitations, without the one for this address. */
export async function countOthers(
  db: Db,
  businessId: Id<'business'>,
  { email, now }: { email: string; now: Date },
): Promise<number> {
  const { waiting } = await db.one<{ waiting: number }>(sql`
    select count(*) as waiting from invitations
    where business_id = ${businessId} and email <> ${email} and expires_at > ${now}
  `)
  return waiting
}

export interface PendingInvitationOfPerson {
  businessId: Id<'business'>
  businessName: string
  id: Id<'invitation'>
  email: string
  role: Role
  /** The address of the inviter. */
  invitedBy: string
  expiresAt: Date
}

/** The pending invitations of one person, across businesses. */
export function selectInvitedTo(
  db: Db,
  email: string,
  now: Date,
): Promise<PendingInvitationOfPerson[]> {
  return db.all(sql`
    select i.business_id as "businessId", b.name as "businessName", i.id, i.email, i.role,
      u.email as "invitedBy", i.expires_at as "expiresAt"
    from invitations i
    join businesses b on b.id = i.business_id
    join users u on u.id = i.invited_by
    join memberships m on m.business_id = i.business_id and m.user_id = i.invited_by
    where i.email = ${email} and i.expires_at > ${now} and m.role = 'owner'
    order by i.created_at, i.id
    limit 100
  `)
}

/** The invitation as its mail needs it; undefined once it was answered, withdrawn or replaced. */
export function findInvitation(
  db: Db,
  businessId: Id<'business'>,
  { id, now }: { id: Id<'invitation'>; now: Date },
): Promise<PendingInvitationOfPerson | undefined> {
  return db.maybe(sql`
    select i.business_id as "businessId", b.name as "businessName", i.id, i.email, i.role,
      u.email as "invitedBy", i.expires_at as "expiresAt"
    from invitations i
    join businesses b on b.id = i.business_id
    join users u on u.id = i.invited_by
    join memberships m on m.business_id = i.business_id and m.user_id = i.invited_by
    where i.business_id = ${businessId} and i.id = ${id} and i.expires_at > ${now}
      and m.role = 'owner'
  `)
}

/** Claims the invitation: of several simultaneous answers, only one gets the row. */
export function claimInvitation(
  db: Db,
  businessId: Id<'business'>,
  { id, email, now }: { id: Id<'invitation'>; email: string; now: Date },
): Promise<{ role: Role; invitedBy: Id<'user'> } | undefined> {
  return db.maybe(sql`
    delete from invitations
    where business_id = ${businessId} and id = ${id} and email = ${email} and expires_at > ${now}
    returning role, invited_by as "invitedBy"
  `)
}

export function deleteInvitation(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'invitation'>,
): Promise<number> {
  return db.run(sql`delete from invitations where business_id = ${businessId} and id = ${id}`)
}

/** Deletes the invitation of somebody who became a member in another way. */
export function deleteInvitationOf(
  db: Db,
  businessId: Id<'business'>,
  email: string,
): Promise<number> {
  return db.run(sql`
    delete from invitations where business_id = ${businessId} and email = ${email}
  `)
}

export function deleteInvitations(db: Db, expiredBefore: Date): Promise<number> {
  return db.run(sql`delete from invitations where expires_at < ${expiredBefore}`)
}
