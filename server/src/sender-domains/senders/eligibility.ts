/**
 * Decides how a domain may be used, and which requirements are pending. Responses and sending share
 * this definition.
 */
import type { Domain, DomainSettings } from '../model/domain.ts'
import { type DomainRecord, isRight } from '../model/record.ts'
import { recordsOf } from '../records/records.ts'

type DomainToJudge = Pick<Domain, 'id' | 'name' | 'registrable' | 'keys' | 'report'>

/** Records that marketing requires, because mailbox providers require them of bulk senders. */
export function missingForMarketing(
  domain: DomainToJudge,
  settings: DomainSettings,
): DomainRecord[] {
  return recordsOf(domain, settings).filter(
    ({ id, neededFor }) => neededFor === 'marketing' && !isRight(domain.report[id]),
  )
}

/**
 * While a degraded domain is being fixed, transactional mail is still signed and sent. Marketing
 * waits.
 */
export function maySend({ status }: Pick<Domain, 'status'>): boolean {
  return status === 'verified' || status === 'degraded'
}
