/** What a domain may be used for, and what still waits: said once, for answers and for sending. */
import type { Domain, DomainSettings } from '../model/domain.ts'
import { type DomainRecord, isRight } from '../model/record.ts'
import { recordsOf } from '../records/records.ts'

type Judged = Pick<Domain, 'id' | 'name' | 'registrable' | 'keys' | 'report'>

/** Records that marketing waits for: what mailboxes ask of whoever sends much. */
export function missingForMarketing(domain: Judged, settings: DomainSettings): DomainRecord[] {
  return recordsOf(domain, settings).filter(
    ({ id, neededFor }) => neededFor === 'marketing' && !isRight(domain.report[id]),
  )
}

/** Mail is signed and sent while a degraded domain is being mended; marketing waits. */
export function maySend({ status }: Pick<Domain, 'status'>): boolean {
  return status === 'verified' || status === 'degraded'
}
