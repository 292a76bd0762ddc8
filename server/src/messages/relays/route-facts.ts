/**
 * What is true of the way that messages take: whether they leave this machine, and what is reported
 * back on it. A count of 0 means something only where reports can come.
 */
import { isAnyReceived, isReceived, type ProviderSettings } from '../../config/providers.ts'
import { profileOf, recognisedProfile } from '../../config/relay-profiles.ts'
import type { MailConfig } from '../../config/relays.ts'
import type { Id } from '../../core/ids.ts'
import { parseSmtpUrl } from '../../lib/email/smtp/url.ts'
import type { SmsOptions } from '../../lib/sms/sms-url.ts'
import type { Relay, Relays } from './relays.ts'

export interface RouteFacts {
  /** Whether messages leave this machine; if not, they stay in the built-in inbox. */
  leavesMachine: boolean
  /** Whether a message's arrival is reported. Without it, `accepted` is all that is known. */
  deliveryReported: boolean
  /** Whether complaints are reported, by those mailbox providers that report any. */
  complaintsReported: boolean
}

/** The facts of a business's marketing on a channel. */
export type RouteFactsOf = (
  businessId: Id<'business'>,
  channel: 'email' | 'sms',
) => Promise<RouteFacts>

interface RouteConfig
  extends ProviderSettings,
    Pick<MailConfig, 'smtpUrl' | 'relayProfile' | 'relays'> {
  receivesBounces: boolean
  sms: Pick<SmsOptions, 'provider' | 'key'> | undefined
}

const staysHere: RouteFacts = {
  leavesMachine: false,
  deliveryReported: false,
  complaintsReported: false,
}

export function createRouteFacts(
  config: RouteConfig,
  relays: Pick<Relays, 'chosenFor'>,
): RouteFactsOf {
  return async (businessId, channel) => {
    if (channel === 'sms') return factsOfTexts(config)
    if (config.smtpUrl === undefined) return staysHere
    return factsOfRelay(config, await relays.chosenFor(businessId, 'marketing'))
  }
}

/** Nobody complains about texts to a provider: a person texts STOP. */
function factsOfTexts({ sms }: RouteConfig): RouteFacts {
  if (!sms) return staysHere
  // Kannel calls us only where it has a key for that.
  const deliveryReported = sms.provider !== 'kannel' || sms.key !== undefined
  return { leavesMachine: true, deliveryReported, complaintsReported: false }
}

function factsOfRelay(config: RouteConfig, relay: Pick<Relay, 'url' | 'profile'>): RouteFacts {
  const url = relay.url ?? config.smtpUrl ?? ''
  const name = relay.profile ?? config.relayProfile ?? recognisedProfile(url)
  const { keepsReturnPath, reports } = profileOf(name ?? 'own')
  // Behind a single relay of one's own there may be any provider.
  const isNotified =
    isReceived(config, 'generic') ||
    (reports ? isReceived(config, reports.provider) : !config.relays && isAnyReceived(config))
  // Reports by mail need a return path of ours.
  const isMailed = keepsReturnPath && config.receivesBounces
  return {
    leavesMachine: true,
    // A relay is asked to report the arrival of marketing only by name.
    deliveryReported: isNotified || (isMailed && parseSmtpUrl(url).receipts === 'all'),
    complaintsReported: isNotified || isMailed,
  }
}

/**
 * Mailbox providers that report no complaint of a person to anybody. Gmail shows senders a rate in its
 * Postmaster Tools (support.google.com/a/answer/6254652, "Feedback loop"), and iCloud Mail has no
 * feedback loop (support.apple.com/102322).
 */
export const silentOnComplaints = ['gmail', 'apple'] as const

/** Whether complaints of this provider's people are reported, where any are. */
export const reportsComplaints = (provider: string | null): boolean =>
  !silentOnComplaints.some((silent) => silent === provider)
