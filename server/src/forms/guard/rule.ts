/** Whether a form is being used to send confirmation mails to strangers. Pure. */
import type { Response } from '../../contacts/consent/form-confirmations.ts'
import { guardLimits } from './limits.ts'

/**
 * People who requested a mail answer it; strangers do not. So a form is abused if too few of its
 * mails are answered within an hour, or if very many wait at once.
 */
export function isAbused({
  requests,
  confirmed,
  mailedLongAgo,
  answeredInTime,
}: Response): boolean {
  const { mailed, waiting, leastAnswered } = guardLimits
  const isIgnored = mailedLongAgo > mailed && answeredInTime < leastAnswered * mailedLongAgo
  const isFlooded = requests - confirmed > waiting && confirmed < leastAnswered * requests
  return isIgnored || isFlooded
}
