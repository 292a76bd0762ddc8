import { limits } from '../../config.ts'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { type BusinessContext, operation } from '../../core/operation.ts'
import { schemaCheck } from '../../core/schema-check.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { normalisePhone } from '../../lib/phone/phone-number.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { isTime, startOf } from '../filters/times.ts'
import { groupByFault } from '../refused-rows.ts'
import { findHashed, setHashedMarks } from './hashed-queries.ts'
import { importedReasons, type ToSuppress, takeOver } from './imported.ts'
import { markOf, type NewSuppression, suppress } from './suppressions.ts'

const mostRows = 10_000

const rowSchema = Type.Object(
  {
    email: Type.Optional(Type.String({ maxLength: 254 })),
    phone: Type.Optional(Type.String({ maxLength: 40 })),
    sha256: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{64}$' })),
    reason: Type.Enum(importedReasons),
    at: Type.Optional(Type.String({ maxLength: 40 })),
  },
  { additionalProperties: false },
)
type Row = Static<typeof rowSchema>

const fault = schemaCheck(rowSchema, 'the row')

export const suppressionImport = operation({
  name: 'suppression.import',
  title: 'Import suppressions',
  summary: `Bring up to ${mostRows} addresses that must not be written to, with or without contacts: {email | phone | sha256, reason: ${importedReasons.join(' | ')}, at?}. unsubscribed and complaint stop marketing alone.`,
  unlisted: true,
  reach: 'business',
  scope: 'audience:write',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'POST /v1/suppressions/import',
  bodyBytes: limits.toolCallBytes,
  input: {
    suppressions: Type.Array(
      // Checked row by row, so that one invalid row does not refuse all of them.
      Type.Unsafe<Row>({ type: 'object', additionalProperties: true }),
      { minItems: 1, maxItems: mostRows },
    ),
  },
  output: Type.Object({
    taken: Type.Integer(),
    refused: Type.Integer(),
    hashed_contacts: Type.Integer(),
    refusals: Type.Array(
      Type.Object({
        code: Type.String(),
        field: Type.Optional(Type.String()),
        message: Type.String(),
        count: Type.Integer(),
        rows: Type.Array(Type.Integer()),
      }),
    ),
  }),

  async run(context, { suppressions: rows }) {
    const { business, now, origin, write } = context
    const read = rows.map((row) => fault(row) ?? readRow(row, now))
    const refusals = read.flatMap((item, row) => (isRefusal(item) ? [shownRefusal(item, row)] : []))
    const taken = read.filter((item): item is ToSuppress => !isRefusal(item))
    return write(async (tx) => {
      const hashedContacts = await keep(tx, context, taken)
      const counts = { taken: taken.length, refused: refusals.length }
      const entry = { businessId: business.id, action: 'suppression.import', details: counts }
      await recordAudit(tx, [{ ...entry, origin }], now)
      return { ...counts, hashed_contacts: hashedContacts, refusals: groupByFault(refusals) }
    })
  },
})

function shownRefusal({ code, message, details: { field } }: Refusal, row: number) {
  return { row, outcome: 'refused', code, message, ...(field !== undefined && { field }) }
}

function readRow({ email, phone, sha256, reason, at }: Row, now: Date): ToSuppress | Refusal {
  const given = [email, phone, sha256].filter((entry) => entry !== undefined)
  if (given.length !== 1) {
    return refuse('invalid_request', 'takes one of email, phone and sha256.', { field: 'email' })
  }
  const since = at === undefined ? now : isTime(at) ? startOf(at, 'UTC') : undefined
  if (!since || since > now) {
    const rule = 'at takes a day such as 2026-11-01 or a moment (RFC 3339) that is past.'
    return refuse('invalid_request', rule, { field: 'at' })
  }
  if (sha256 !== undefined)
    return { reason, at: since, address: { sha256: Buffer.from(sha256, 'hex') } }
  const text = email === undefined ? normalisePhone(phone ?? '') : normaliseEmail(email)
  if (isRefusal(text)) return text
  return { reason, at: since, address: { channel: email === undefined ? 'sms' : 'email', text } }
}

const source = 'suppression.import'

/** Stores the suppressions; returns how many contacts have an address that was given by hash. */
async function keep(
  tx: Tx,
  { business, hmac, now }: BusinessContext,
  taken: readonly ToSuppress[],
): Promise<number> {
  const businessId = business.id
  await takeOver(tx, { businessId, hmac, source, now }, taken)
  const byHash = new Map(
    taken.flatMap((entry) =>
      'sha256' in entry.address ? [[hex(entry.address.sha256), entry]] : [],
    ),
  )
  if (byHash.size === 0) return 0
  const hashes = [...byHash.keys()].map((text) => Buffer.from(text, 'hex'))
  const contacts = await findHashed(tx, businessId, hashes)
  const marks = contacts.map(({ sha256, address }) => {
    return { sha256, mark: markOf(hmac, businessId, address) }
  })
  if (marks.length > 0) await setHashedMarks(tx, businessId, marks)
  const found = contacts.flatMap(({ sha256, address, isEmail }): NewSuppression[] => {
    const one = byHash.get(hex(sha256))
    const channel = isEmail ? 'email' : 'sms'
    return one ? [{ businessId, channel, address, reason: one.reason, source, at: one.at }] : []
  })
  await suppress(tx, hmac, found, now)
  return contacts.length
}

const hex = (bytes: Buffer) => bytes.toString('hex')
