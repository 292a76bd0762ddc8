/** The sender of a business's texts, and whether it may send marketing. */
import type { ReadSenderProfile } from '../../accounts/businesses/sender-profile.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { canBeAnswered } from '../../lib/sms/sender.ts'
import type { TextSenders } from '../model/dependencies.ts'

export interface TextSendersDeps {
  senderProfileOf: ReadSenderProfile
  /** The sender of businesses without a sender of their own. Undefined if the provider chooses. */
  from: string | undefined
  /** Whether the provider requires a sender. */
  isNeeded: boolean
}

export function createTextSenders(deps: TextSendersDeps): TextSenders {
  return {
    async textSenderOf(businessId) {
      const from = (await deps.senderProfileOf(businessId))?.smsSender ?? deps.from
      if (from === undefined && deps.isNeeded) return noTextSender()
      const isMute = from !== undefined && !canBeAnswered(from)
      return { from, marketing: isMute ? nobodyCanSayStop(from) : true }
    },
  }
}

/** An example that nobody can save by mistake, because it is not a number. */
const fix = { tool: 'business.save', arguments: { sms_sender: '<+33612345678>' } }
const byAnOwner =
  'An owner of the business sets it in its settings: a number in international form, or a short code.'

function noTextSender(): Refusal {
  return refuse('conflict', `This business has no SMS sender. ${byAnOwner}`, {
    fix,
    data: { reason: 'no_sms_sender_set' },
  })
}

function nobodyCanSayStop(sender: string): Refusal {
  const text = `Marketing by SMS needs a sender to whom people can answer STOP: a number or a short code, not the name ${sender}. ${byAnOwner}`
  return refuse('conflict', text, { fix, data: { reason: 'no_sms_sender_set' } })
}
