import {
  type Copied,
  type CopiedKind,
  type Copy,
  copiedKinds,
  type LeftOut,
} from '../../core/copying.ts'
import { isRefusal, orRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { operation, type Tier } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { businessLimits, createBusiness } from '../businesses/create.ts'
import { lockUser } from '../members/user-queries.ts'

type CopyOf = (tx: Tx, copy: Copy) => Promise<Copied>

export interface NewBusinessParts {
  /** The tier of a new business, and its limit where it copies no settings. */
  tier: Tier
  deployLimit: number | null
  /** Topics, which forms and segments name by their keys. */
  copyTopics(tx: Tx, copy: Copy): Promise<void>
  copyTemplates: CopyOf
  copyForms: CopyOf
  copySegments: CopyOf
}

/**
 * Makes a business that begins with what another one of the person has. It gets no contacts,
 * consents, domains, keys, secrets or members. Only people make businesses: a connection never
 * reaches those that were made after it.
 */
export function businessCreate(parts: NewBusinessParts) {
  return operation({
    name: 'business.create',
    title: 'Make a business',
    summary: 'Makes a business of your own that begins with what you choose of this one.',
    reach: 'business',
    scope: 'meta:read',
    role: 'owner',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'A business is made',
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    rest: 'POST /v1/businesses',
    status: 201,
    input: {
      name: Type.String({ maxLength: 200 }),
      copy: Type.Optional(
        Type.Array(Type.Enum(copiedKinds), { maxItems: copiedKinds.length, uniqueItems: true }),
      ),
    },
    output: Type.Object({
      business_id: Type.String(),
      name: Type.String(),
      copied: Type.Array(
        Type.Object({ kind: Type.Enum(copiedKinds), count: Type.Integer({ minimum: 0 }) }),
      ),
      left_out: Type.Array(
        Type.Object({ kind: Type.Enum(copiedKinds), name: Type.String(), why: Type.String() }),
      ),
    }),

    async run({ business, principal, now, origin, write }, { name, copy = [] }) {
      return write(async (tx) => {
        await checkOwnedLimit(tx, principal.userId)
        const to = await orRefusal(() =>
          createBusiness(tx, {
            name,
            ownerId: principal.userId,
            tier: parts.tier,
            deployLimit: parts.deployLimit,
            now,
          }),
        )
        if (isRefusal(to)) throw inName(to)
        const done = await copyAll(tx, parts, {
          kinds: new Set(copy),
          copy: { from: business.id, to, now, ids: new Map() },
        })
        const entry = {
          action: 'business.create',
          subject: formatId('business', to),
          details: { copied: done.copied.map(({ kind }) => kind).join(' ') },
          origin,
        }
        // Both businesses can answer for it later.
        const entries = [business.id, to].map((businessId) => ({ ...entry, businessId }))
        await recordAudit(tx, entries, now)
        const { copied, leftOut } = done
        return {
          business_id: formatId('business', to),
          name: name.trim(),
          copied,
          left_out: leftOut.map((entry) => ({ ...entry })),
        }
      })
    },
  })
}

async function checkOwnedLimit(tx: Tx, userId: Id<'user'>): Promise<void> {
  // If several calls arrive at once, each counts the businesses of those before it.
  await lockUser(tx, userId)
  const { owned } = await tx.one<{ owned: number }>(sql`
    select count(*) as owned from memberships where user_id = ${userId} and role = 'owner'
  `)
  if (owned < businessLimits.owned) return
  const text = `A person owns at most ${businessLimits.owned} businesses. Whoever runs the service can make more.`
  throw refuse('conflict', text, {
    field: 'name',
    data: { reason: 'too_many_owned', limit: businessLimits.owned },
  })
}

function inName({ code, message, details }: Refusal): Refusal {
  return refuse(code, message, { ...details, field: 'name' })
}

interface Done {
  copied: { kind: CopiedKind; count: number }[]
  leftOut: LeftOut[]
}

async function copyAll(
  tx: Tx,
  parts: NewBusinessParts,
  { kinds, copy }: { kinds: ReadonlySet<CopiedKind>; copy: Copy },
): Promise<Done> {
  const done: Done = { copied: [], leftOut: [] }
  if (kinds.has('settings')) {
    await copySettings(tx, copy.to, copy)
    done.copied.push({ kind: 'settings', count: 1 })
  }
  if (kinds.has('forms') || kinds.has('segments')) await parts.copyTopics(tx, copy)
  // Segments are last, because their filters name templates and forms.
  const rest = [
    ['templates', parts.copyTemplates],
    ['forms', parts.copyForms],
    ['segments', parts.copySegments],
  ] as const
  for (const [kind, copyKind] of rest) {
    if (!kinds.has(kind)) continue
    const copied = await copyKind(tx, copy)
    done.copied.push({ kind, count: copied.count })
    done.leftOut.push(...copied.leftOut)
  }
  return done
}

/**
 * Copies the settings that do not name the other business to its recipients. Its postal address,
 * senders, address for replies, words of HELP, logo, header, footer and social addresses stay its own.
 * It has one member, so no second person can approve yet.
 */
function copySettings(
  tx: Tx,
  to: Id<'business'>,
  { from, now }: { from: Id<'business'>; now: Date },
): Promise<number> {
  return tx.run(sql`
    update businesses b set time_zone = s.time_zone, language = s.language, colour = s.colour,
      track_opens = s.track_opens, track_clicks = s.track_clicks,
      track_transactional = s.track_transactional, tracking = s.tracking,
      attribution_days = s.attribution_days, utm = s.utm, deploy_limit = s.deploy_limit,
      retention = s.retention, attention = s.attention,
      brand = s.brand - array['logo', 'header', 'footer', 'social'], updated_at = ${now}
    from businesses s where b.id = ${to} and s.id = ${from}
  `)
}
