/** A row of a file becomes a suppression, or a refusal that says what is wrong with it. */

import { isTime, startOf } from '../../contacts/filters/times.ts'
import type { ImportedReason } from '../../contacts/suppression/imported.ts'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { normalisePhone } from '../../lib/phone/phone-number.ts'
import { unguarded } from './formula-guard.ts'
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

export function suppressionReader(
  plan: Plan,
): (cells: readonly string[]) => { suppression: SuppressionRow } | Refusal {
  const targets = plan.targets.map((text) =>
    text !== null && isSuppressionTarget(text) ? text : undefined,
  )
  return (cells) => {
    const told: Partial<Record<SuppressionTarget, string>> = {}
    for (const [i, target] of targets.entries()) {
      const cell = unguarded(cells[i] ?? '').trim()
      if (target && cell !== '') told[target] = cell
    }
    const row = readSuppression(told, plan.reason ?? 'unsubscribed')
    return isRefusal(row) ? row : { suppression: row }
  }
}

function readSuppression(
  { email, phone, sha256, reason, at }: Partial<Record<SuppressionTarget, string>>,
  otherwise: ImportedReason,
): SuppressionRow | Refusal {
  const said = reason === undefined ? undefined : readReason(reason)
  if (said === 'may_be_written_to') {
    const text =
      'The row says that the person may be written to. Leave the column out, with null, if all people of the file are to be suppressed.'
    return refuse('invalid_request', text, { field: 'reason' })
  }
  const since = at === undefined ? undefined : readTime(at)
  const row: SuppressionRow = { reason: said ?? otherwise, ...(since && { at: since }) }
  if (email !== undefined && isSha256(email)) row.sha256 = email.toLowerCase()
  else if (email !== undefined) {
    const address = normaliseEmail(email)
    if (isRefusal(address)) return address
    row.email = address
  }
  if (phone !== undefined) {
    const number = normalisePhone(phone)
    if (isRefusal(number)) return number
    row.phone = number
  }
  if (sha256 !== undefined) {
    if (!isSha256(sha256)) {
      const text = 'sha256 takes the SHA-256 of an address, in 64 hexadecimal digits.'
      return refuse('invalid_request', text, { field: 'sha256' })
    }
    row.sha256 = sha256.toLowerCase()
  }
  if (row.email !== undefined || row.phone !== undefined || row.sha256 !== undefined) return row
  return refuse('invalid_request', 'The row has no address.', { field: 'row' })
}

/** Undefined for what is no date that all read alike: the suppression then begins with the import. */
function readTime(text: string): string | undefined {
  const moment = [text, `${text.replace(' ', 'T')}Z`].find(isTime)
  return moment && startOf(moment, 'UTC').toISOString()
}
