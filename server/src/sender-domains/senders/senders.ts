/** How a business may send mail: the address, the signing keys, and whether it may send in bulk. */

import type { SenderProfile } from '../../accounts/businesses/business.ts'
import { senderProfileOf } from '../../accounts/businesses/sender-profile.ts'
import { addressFix } from '../../accounts/settings/missing.ts'
import { isRefusal, orRefusal, orThrow, type Refusal, refuse } from '../../core/errors.ts'
import { type Id, isTwin, liveOf } from '../../core/ids.ts'
import { simulatorDomain } from '../../core/inbox/simulated-address.ts'
import { setNewest } from '../../lib/concurrency/set-newest.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import type { DkimKey } from '../../lib/email/dkim.ts'
import { parseMailbox, smtpAddress } from '../../lib/email/header-fields.ts'
import { type Clock, later, seconds } from '../../lib/time/clock.ts'
import { findDomain } from '../keys/read-domains.ts'
import { signingKeys } from '../keys/signing-keys.ts'
import { holdsClaim } from '../model/claim-queries.ts'
import type { Domain, DomainSettings } from '../model/domain.ts'
import { findFirstVerified } from '../model/queries.ts'
import { isRight } from '../model/record.ts'
import { recordsOf } from '../records/records.ts'
import { returnPathOf } from '../records/return-path-records.ts'
import { trackingNameOf } from '../records/tracking-record.ts'
import { maySend, missingForMarketing } from './eligibility.ts'

export interface Sender {
  /** `Ana's Shop <hello@shop.example>`. */
  from: string
  /** The address for replies, if not `from`. */
  replyTo?: string
  /** The domain of that address, in A-labels. */
  domain: string
  /** Empty if the domain is not verified, which is possible only with the gate off. */
  keys: DkimKey[]
  /** The return path domain, once its records are correct. */
  returnPathDomain?: string
  /** The domain's own host name for links, once it points to this service. */
  trackingHost?: string
  verified: boolean
  /** True if it may send marketing, otherwise the reason why not. */
  marketing: true | Refusal
  /** Why no marketing may begin yet, although what is under way goes on. */
  waits?: Refusal
}

export interface Senders {
  /**
   * Returns the sender `from` if a call names it, otherwise the business's sender. It may be ten
   * seconds old unless `isFresh`.
   */
  senderOf(
    businessId: Id<'business'>,
    from?: string,
    how?: { isFresh: boolean },
  ): Promise<Sender | Refusal>
}

interface SendersDeps {
  db: Db
  clock: Clock
  vault: Vault
  settings: DomainSettings
  /** Why no marketing of the business may begin yet, apart from its domains. */
  waitsFor?: (businessId: Id<'business'>) => Promise<Refusal | undefined>
}

/** How long opened keys are cached. After a key change, the old keys stay valid for a week. */
const keptFor = seconds(10)
const mostKept = 1000

export function createSenders(deps: SendersDeps): Senders {
  const cache = new Map<string, { until: Date; sender: Promise<Sender | Refusal> }>()
  return {
    senderOf(businessId, from, { isFresh } = { isFresh: false }) {
      const key = `${businessId} ${from ?? ''}`
      const now = deps.clock.now()
      const cached = cache.get(key)
      if (cached && cached.until > now && !isFresh) return cached.sender
      const find = isTwin(businessId) ? findTestSender : findSender
      const sender = orRefusal(() => find(deps, businessId, from))
      // Neither a failure nor a refusal is cached, so that a retry after fixing the cause is not
      // refused again.
      sender.then(
        (sender) =>
          (isRefusal(sender) || sender.marketing !== true || sender.waits) && cache.delete(key),
        () => cache.delete(key),
      )
      setNewest(cache, [key, { until: later(now, keptFor), sender }], mostKept)
      return sender
    },
  }
}

/**
 * The sender of test mode: the live one, or where the business may not send yet, the one that it
 * would be. Nothing that it sends leaves this machine.
 */
async function findTestSender(
  deps: SendersDeps,
  twinId: Id<'business'>,
  requested: string | undefined,
): Promise<Sender> {
  const { waitsFor: _waitsFor, ...own } = deps
  const live = await orRefusal(() => findSender(own, liveOf(twinId), requested))
  if (!isRefusal(live)) return { ...live, marketing: true }
  const profile = await senderProfileOf(deps.db, twinId)
  const from = requested ?? profile?.sender ?? `test@${simulatorDomain}`
  const address = orThrow(smtpAddress(parseMailbox(from).address, 'from'))
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return { from, domain, keys: [], verified: false, marketing: true }
}

async function findSender(
  deps: SendersDeps,
  businessId: Id<'business'>,
  requested: string | undefined,
): Promise<Sender> {
  const { db, settings } = deps
  const senderProfile = await senderProfileOf(db, businessId)
  if (!senderProfile) throw refuse('not_found', 'There is no such business.')
  const from =
    requested ?? senderProfile.sender ?? (await fallback(deps, businessId, senderProfile))
  const address = orThrow(smtpAddress(parseMailbox(from).address, 'from'))
  const name = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  const domain = await findDomain(db, businessId, { name })
  const ownDomain = domain && (await isHeld(db, domain)) ? domain : undefined
  if (settings.gate === 'strict' && !ownDomain) throw closedGate(name, domain)
  // In the built-in inbox a mail deceives nobody: a program is tried with the addresses that it has.
  if (requested !== undefined && !ownDomain && !settings.staysHere)
    checkIsOwn(name, senderProfile.sender ?? settings.mailFrom)
  const { replyTo } = senderProfile
  const waits = await deps.waitsFor?.(businessId)
  const common = { from, domain: name, ...(replyTo && { replyTo }), ...(waits && { waits }) }
  if (!ownDomain) return { ...common, keys: [], verified: false, marketing: true }
  return {
    ...common,
    ...ownNames(ownDomain, settings),
    keys: await signingKeys(deps, ownDomain),
    verified: true,
    marketing: settings.gate === 'off' || marketingGate(ownDomain, senderProfile, settings),
  }
}

/** With the gate off no domain needs verification, but a call may use only its own business's. */
function checkIsOwn(name: string, own: string): void {
  const { address } = parseMailbox(own)
  if (address.slice(address.lastIndexOf('@') + 1).toLowerCase() === name) return
  const text = `from must be an address at a verified domain of this business, or at the domain of its sender, and ${name} is neither. Add the domain, or set the business's sender in its settings.`
  throw refuse('invalid_request', text, {
    field: 'from',
    fix: { tool: 'domain.add', arguments: { domain: name } },
    data: { reason: 'foreign_sender', domain: name },
  })
}

/** Whether it is verified, and not taken over by another business since. */
async function isHeld(db: Db, domain: Domain): Promise<boolean> {
  return maySend(domain) && holdsClaim(db, { name: domain.name, domainId: domain.id })
}

/** The sender of a business that has no sender of its own. */
async function fallback(
  { db, settings }: SendersDeps,
  businessId: Id<'business'>,
  { name }: SenderProfile,
): Promise<string> {
  if (settings.gate === 'off') return settings.mailFrom
  const first = await findFirstVerified(db, businessId)
  if (first) return `${name.replace(/[<>"\\]/g, '')} <hello@${first.name}>`
  const text =
    'This business has no verified domain to send from. Add one, and set its DNS records. One that a connected app added counts once a person has added it in the app.'
  throw refuse('conflict', text, {
    fix: { tool: 'domain.status', arguments: {} },
    data: { reason: 'no_domain' },
  })
}

/** The domain's host names for this service that are published and lead here. */
function ownNames(
  domain: Domain,
  settings: DomainSettings,
): Pick<Sender, 'returnPathDomain' | 'trackingHost'> {
  const records = recordsOf(domain, settings)
  const areRight = (part: string) => {
    const those = records.filter(({ id }) => id.startsWith(part))
    return those.length > 0 && those.every(({ id }) => isRight(domain.report[id]))
  }
  return {
    ...(areRight('return_path') && { returnPathDomain: returnPathOf(domain.name) }),
    ...(areRight('tracking') && { trackingHost: trackingNameOf(domain.name) }),
  }
}

/** For mail of any kind: the business owns the domain, which was verified. */
function closedGate(name: string, domain: Domain | undefined): Refusal {
  return domain
    ? refuse('conflict', `${name} is not verified, so it cannot send email yet.`, {
        data: { reason: 'domain_not_verified' },
        fix: { tool: 'domain.status', arguments: { domain: name, check: true } },
      })
    : refuse(
        'conflict',
        `${name} is not a domain of this business. Add it, then set its DNS records.`,
        {
          fix: { tool: 'domain.add', arguments: { domain: name } },
          data: { reason: 'foreign_sender', domain: name },
        },
      )
}

/** For marketing: the requirements of mailbox providers and the law for bulk senders. */
function marketingGate(
  domain: Domain,
  { postalAddress }: SenderProfile,
  settings: DomainSettings,
): true | Refusal {
  const fix = { tool: 'domain.status', arguments: { domain: domain.name, check: true } }
  if (domain.status === 'degraded') {
    const text = `The DKIM record of ${domain.name} is not found any more: marketing waits for it.`
    return refuse('conflict', text, { fix, data: { reason: 'dkim_missing', domain: domain.name } })
  }
  const lacking = missingForMarketing(domain, settings)
  if (lacking.length > 0) {
    const names = lacking.map(({ type, name }) => `${type} ${name}`).join(', ')
    return refuse('conflict', `Marketing from ${domain.name} waits for DNS records: ${names}.`, {
      fix,
      data: { reason: 'records_missing', domain: domain.name, records: names },
    })
  }
  if (postalAddress !== null) return true
  const text =
    "Marketing must name the sender's postal address, and this business has none. An owner of the business sets it in its settings."
  return refuse('conflict', text, {
    data: { reason: 'no_postal_address', lacks: 'postal_address' },
    fix: addressFix,
  })
}
