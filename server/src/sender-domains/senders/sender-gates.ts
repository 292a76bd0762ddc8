/** The requirements that a domain must meet before it sends mail (setting SENDER_GATE). */
import type { SenderProfile } from '../../accounts/businesses/business.ts'
import { addressFix } from '../../accounts/settings/missing.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import type { Domain, DomainSettings } from '../model/domain.ts'
import { missingForMarketing } from './eligibility.ts'

/** For mail of any kind: the business owns the domain, which was verified. */
export function domainGate(
  name: string,
  domain: Domain | undefined,
  held: Domain | undefined,
): Refusal | undefined {
  if (held) return undefined
  return domain
    ? refuse('conflict', `${name} is not verified, so no mail goes out from it yet.`, {
        fix: { tool: 'domain.status', arguments: { domain: name, check: true } },
      })
    : refuse(
        'conflict',
        `${name} is no domain of this business. Add it, and set its DNS records.`,
        {
          fix: { tool: 'domain.add', arguments: { domain: name } },
        },
      )
}

/** For marketing: the requirements of mailbox providers and the law for bulk senders. */
export function marketingGate(
  domain: Domain,
  { postalAddress }: SenderProfile,
  settings: DomainSettings,
): true | Refusal {
  const fix = { tool: 'domain.status', arguments: { domain: domain.name, check: true } }
  if (domain.status === 'degraded') {
    const text = `The DKIM record of ${domain.name} is not found any more: marketing waits for it.`
    return refuse('conflict', text, { fix })
  }
  const lacking = missingForMarketing(domain, settings)
  if (lacking.length > 0) {
    const names = lacking.map(({ type, name }) => `${type} ${name}`).join(', ')
    return refuse('conflict', `Marketing from ${domain.name} waits for DNS records: ${names}.`, {
      fix,
    })
  }
  if (postalAddress !== null) return true
  const text =
    "Marketing must name the sender's postal address, and this business has none. An owner of the business sets it in its settings."
  return refuse('conflict', text, { data: { lacks: 'postal_address' }, fix: addressFix })
}
