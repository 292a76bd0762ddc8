/** Whom a business's texts are from, and whether it may send marketing that way. */
import type { ReadLetterhead } from '../businesses/letterhead.ts'
import { type Refusal, refuse } from '../platform/errors.ts'
import { canBeAnswered } from '../platform/sms/sender.ts'
import type { TextSenders } from './parts.ts'

export interface TextSendersDeps {
  letterheadOf: ReadLetterhead
  /** Of businesses that have no sender of their own; undefined where the provider chooses. */
  from: string | undefined
  /** Whether the provider takes no text without one. */
  isNeeded: boolean
}

export function createTextSenders(deps: TextSendersDeps): TextSenders {
  return {
    async textSenderOf(businessId) {
      const from = (await deps.letterheadOf(businessId))?.smsSender ?? deps.from
      if (from === undefined && deps.isNeeded) return hasNone()
      const isMute = from !== undefined && !canBeAnswered(from)
      return { from, marketing: isMute ? nobodyCanSayStop(from) : true }
    },
  }
}

const byTheOperator = 'The operator sets it: crier businesses set ID sms_sender +33612345678.'

function hasNone(): Refusal {
  const text = `This business has no number that texts are from. ${byTheOperator}`
  return refuse('conflict', text)
}

function nobodyCanSayStop(sender: string): Refusal {
  const text = `Marketing by SMS needs a sender to whom people can answer STOP: a number or a short code, not the name ${sender}. ${byTheOperator}`
  return refuse('conflict', text)
}
