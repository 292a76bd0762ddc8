/**
 * A row of a file becomes a suppression. A cell that cannot be read is left out, and the row is refused
 * only where none of its addresses can be read.
 */

import { isTime, startOf } from '../../contacts/filters/times.ts'
import type { ImportedReason } from '../../contacts/suppressions/import.ts'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { normalisePhone } from '../../lib/phone/phone-number.ts'
import { type FaultWords, wordsOf } from './fault-words.ts'
import { unguarded } from './formula-guard.ts'
import type { LeftOutCell } from './person-of.ts'
import type { Plan } from './plan.ts'
import { isSha256 } from './profile.ts'
import { isSuppressionTarget, readReason, type SuppressionTarget } from './suppression-columns.ts'

export interface SuppressionRow {
  email?: string
  phone?: string
  /** In small hexadecimal digits. */
  sha256?: string
  reason: ImportedReason
  /** ISO 8601; absent where the row has no date that can be read. */
  at?: string
}

interface ReadSuppression {
  suppression: SuppressionRow
  leftOut?: LeftOutCell[]
}

export function suppressionReader(
  plan: Plan,
): (cells: readonly string[]) => ReadSuppression | Refusal {
  const targets = plan.targets.map((text) =>
    text !== null && isSuppressionTarget(text) ? text : undefined,
  )
  return (cells) => {
    const texts: Partial<Record<SuppressionTarget, string>> = {}
    for (const [i, target] of targets.entries()) {
      const cell = unguarded(cells[i] ?? '').trim()
      if (target && cell !== '') texts[target] = cell
    }
    const row = readSuppression(texts, plan)
    if (isRefusal(row)) return row
    const { suppression, wrong } = row
    const leftOut = wrong.map(({ target, ...words }) => {
      return { column: targets.indexOf(target), field: target, ...words }
    })
    return leftOut.length > 0 ? { suppression, leftOut } : { suppression }
  }
}

interface WrongCell extends FaultWords {
  target: SuppressionTarget
}

function readSuppression(
  { email, phone, sha256, reason, at }: Partial<Record<SuppressionTarget, string>>,
  { reason: otherwise = 'unsubscribed', country }: Plan,
): { suppression: SuppressionRow; wrong: WrongCell[] } | Refusal {
  const ownReason = reason === undefined ? undefined : readReason(reason)
  if (ownReason === 'may_be_written_to') {
    const text =
      'The row says that the person may be written to. Leave the column out, with null, if all people of the file are to be suppressed.'
    return refuse('invalid_request', text, {
      field: 'reason',
      data: { reason: 'may_be_written_to' },
    })
  }
  const since = at === undefined ? undefined : readTime(at)
  const row: SuppressionRow = { reason: ownReason ?? otherwise, ...(since && { at: since }) }
  const invalidCells: WrongCell[] = []
  let ofAddress: Refusal | undefined
  const leaveOut = (target: SuppressionTarget, refusal: Refusal) => {
    ofAddress ??= refusal
    invalidCells.push({ target, ...wordsOf(refusal) })
  }
  if (at !== undefined && since === undefined) {
    invalidCells.push({ target: 'at', message: noTime, reason: 'no_moment' })
  }
  if (email !== undefined && isSha256(email)) row.sha256 = email.toLowerCase()
  else if (email !== undefined) {
    const address = normaliseEmail(email)
    if (isRefusal(address)) leaveOut('email', address)
    else row.email = address
  }
  if (phone !== undefined) {
    const number = normalisePhone(phone, country)
    if (isRefusal(number)) leaveOut('phone', number)
    else row.phone = number
  }
  if (sha256 !== undefined) {
    if (!isSha256(sha256)) {
      const text = 'sha256 must be the SHA-256 of an address, in 64 hexadecimal digits.'
      leaveOut(
        'sha256',
        refuse('invalid_request', text, { field: 'sha256', data: { reason: 'wrong_form' } }),
      )
    } else row.sha256 = sha256.toLowerCase()
  }
  if (row.email !== undefined || row.phone !== undefined || row.sha256 !== undefined) {
    return { suppression: row, wrong: invalidCells }
  }
  if (ofAddress) return ofAddress
  return refuse('invalid_request', 'The row has no address.', {
    field: 'row',
    data: { reason: 'row_without_address' },
  })
}

const noTime =
  'at must be an unambiguous date, such as 2026-11-27 or 2026-11-27T12:00:00Z. The suppression begins with the import.'

/** Undefined for what is no date that all read alike: the suppression then begins with the import. */
function readTime(text: string): string | undefined {
  const moment = [text, `${text.replace(' ', 'T')}Z`].find(isTime)
  return moment && startOf(moment, 'UTC').toISOString()
}
