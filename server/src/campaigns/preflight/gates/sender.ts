/**
 * Gates about the sender: whether the business may send to many, and what its mail says about it.
 */
import type { DeploySettings } from '../../../accounts/businesses/business.ts'
import { addressFix } from '../../../accounts/settings/missing.ts'
import { type Fix, isRefusal, type Refusal } from '../../../core/errors.ts'
import type { TextSender } from '../../../messages/dependencies.ts'
import type { Sender } from '../../../sender-domains/senders/senders.ts'
import type { Gate } from './gate.ts'

/**
 * Passes for a verified domain with the records that mailbox providers require of bulk mail, where
 * the domain gate is strict.
 */
export function senderGate(sender: Sender | TextSender | Refusal): Gate {
  if (isRefusal(sender)) return blockedBy(sender)
  const no = marketingRefusal(sender)
  return no ? blockedBy(no) : { gate: 'sender', result: 'pass', evidence: cameFrom(sender) }
}

function cameFrom(sender: Sender | TextSender): string {
  const { from } = sender
  if (!('verified' in sender)) return `It comes from ${from ?? 'a number of the provider’s'}.`
  const how = sender.verified
    ? 'a verified domain'
    : 'which this installation lets through unverified'
  return `It comes from ${from}, ${how}.`
}

/** The postal address has a gate of its own. */
function marketingRefusal(sender: Sender | TextSender): Refusal | undefined {
  const { marketing } = sender
  const isOpen = marketing === true || marketing.details.data?.['lacks'] === 'postal_address'
  if (!isOpen) return marketing
  return 'waits' in sender ? sender.waits : undefined
}

function blockedBy({ message, details }: Refusal): Gate {
  const { fix } = details
  return {
    gate: 'sender',
    result: 'block',
    evidence: message,
    findings: [{ finding: 'refused', refusal: details.data ?? {} }],
    ...(fix && { remedy: remedyOf(fix), fix }),
  }
}

function remedyOf({ tool }: Fix): string {
  return tool === addressFix.tool
    ? 'An owner of the business sets it in its settings.'
    : 'Have the domain verified with all its records.'
}

export function postalGate({ postalAddress }: Pick<DeploySettings, 'postalAddress'>): Gate {
  const gate = 'postal_address'
  if (postalAddress !== null) {
    return { gate, result: 'pass', evidence: 'The footer shows the postal address.' }
  }
  return {
    gate,
    result: 'block',
    evidence: 'Marketing must name the postal address of its sender, and this business has none.',
    findings: [{ finding: 'no_postal_address' }],
    remedy: 'An owner of the business sets it in its settings.',
    fix: addressFix,
  }
}
