import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { formatId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { countThatFits, nextCursor } from '../../core/paging.ts'
import { Type } from '../../lib/schema/schema.ts'
import { channels } from '../contact.ts'
import { markAddresses } from './hash-addresses.ts'
import { type ListedSuppression, listSuppressions } from './suppression-list-queries.ts'
import { readSuppressed, sha256Named, suppressionIdOf } from './suppression-named.ts'
import { isMarketingOnly } from './suppressions.ts'

const defaultLimit = 50

export const suppressionList = operation({
  name: 'suppression.list',
  title: 'List suppressions',
  summary: 'Who gets no mail or no marketing, and why.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/suppressions',
  input: {
    email: Type.Optional(Type.String({ maxLength: 254 })),
    phone: Type.Optional(Type.String({ maxLength: 40 })),
    // Only bounces by an earlier rule that could not be judged again.
    not_judgeable: Type.Optional(Type.Boolean()),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  },
  output: Type.Object({
    suppressions: Type.Array(
      Type.Object({
        suppression_id: Type.String(),
        channel: Type.Union([Type.Enum(channels), Type.Null()]),
        sha256: Type.Union([Type.String(), Type.Null()]),
        reason: Type.String(),
        stops: Type.Enum(['marketing', 'everything']),
        source: Type.String(),
        since: Type.String({ description: 'ISO 8601, UTC.' }),
        contact_id: Type.Union([Type.String(), Type.Null()]),
        address: Type.Union([Type.String(), Type.Null()]),
        not_judgeable: Type.Optional(Type.Boolean()),
      }),
    ),
    next_cursor: nextCursor,
  }),

  async run({ db, business, hmac }, { email, phone, not_judgeable, cursor, limit: asked }) {
    const limit = asked ?? defaultLimit
    const isOne = email !== undefined || phone !== undefined
    const mark = isOne ? readSuppressed(hmac, business.id, { email, phone }) : null
    if (isRefusal(mark)) return mark
    const sha256 = mark && sha256Named({ email, phone })
    const one = mark && sha256 ? { mark, sha256 } : null
    const before = cursor === undefined ? null : readCursor(cursor)
    if (isRefusal(before)) return before
    await markAddresses(db, hmac, business.id)
    const rows = await listSuppressions(db, business.id, {
      one,
      before,
      notJudgeable: not_judgeable ?? false,
      limit: limit + 1,
    })
    const all = rows.slice(0, limit).map(viewOf)
    const suppressions = asked === undefined ? all.slice(0, countThatFits(all)) : all
    const last = rows[suppressions.length - 1]
    return {
      suppressions,
      ...(rows.length > suppressions.length && last && { next_cursor: cursorOf(last) }),
    }
  },
})

function viewOf({
  channel,
  mark,
  isHashed,
  reason,
  source,
  createdAt,
  contactId,
  address,
  isNotJudgeable,
}: ListedSuppression) {
  return {
    suppression_id: suppressionIdOf(mark),
    channel,
    sha256: isHashed ? mark.toString('hex') : null,
    reason,
    stops: isMarketingOnly(reason) ? ('marketing' as const) : ('everything' as const),
    source,
    since: createdAt.toISOString(),
    contact_id: contactId && formatId('contact', contactId),
    address,
    ...(isNotJudgeable && { not_judgeable: true }),
  }
}

function cursorOf({ createdAt, mark }: ListedSuppression): string {
  return `${createdAt.getTime()}.${mark.toString('hex')}`
}

function readCursor(text: string): { at: Date; mark: Buffer } | Refusal {
  const [time = '', hex = ''] = text.split('.')
  const at = new Date(Number(time))
  if (/^\d{1,14}$/.test(time) && /^[0-9a-f]{2,128}$/.test(hex)) {
    return { at, mark: Buffer.from(hex, 'hex') }
  }
  const wrong = 'cursor is not one of this list: pass next_cursor as it was given, or none.'
  return refuse('invalid_request', wrong, { field: 'cursor' })
}
