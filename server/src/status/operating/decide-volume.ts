/** The operator's answer to a statement of past volume, by command or in the app. */
import type { Origin } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { startAhead, startAsUnknown } from '../../messages/relays/warm-up.ts'
import { headStartOf } from '../../messages/throttle/throttle.ts'
import { queueAnswerMails } from '../../sender-domains/volume/answer-mail.ts'
import type { VolumeOfDomain } from '../../sender-domains/volume/volume.ts'
import { answerVolume, withdrawApproval } from '../../sender-domains/volume/waiting.ts'

interface Decision {
  /** Mails a day; null refuses the statement. */
  approved: number | null
  answer: string | null
  /** The relays over which the warm-up begins later. */
  routes: readonly string[]
  origin?: Origin
  now: Date
}

export async function decideStatement(
  tx: Tx,
  waiting: VolumeOfDomain,
  { approved, answer, routes, origin, now }: Decision,
): Promise<void> {
  const { businessId, domain } = waiting
  await answerVolume(tx, waiting, { approved, answer, now })
  if (approved !== null) {
    await startAhead(tx, { routes, domain }, { emailsPerDay: approved, now })
  }
  const beginsAtDay = approved === null ? 1 : headStartOf(approved) + 1
  await queueAnswerMails(tx, waiting, { beginsAtDay, now })
  const action = approved === null ? 'operator.refuse_volume' : 'operator.approve_volume'
  const details = approved === null ? {} : { emails_per_day: approved }
  const entry = { businessId, action, subject: domain, details, ...(origin && { origin }) }
  await recordAudit(tx, [entry], now)
}

/** Takes an approval back, such as one that named a digit too many. */
export async function withdrawDecision(
  tx: Tx,
  approved: VolumeOfDomain,
  { answer, now }: Pick<Decision, 'answer' | 'now'>,
): Promise<void> {
  const { businessId, domain } = approved
  await withdrawApproval(tx, approved, { answer, now })
  await startAsUnknown(tx, domain, now)
  await queueAnswerMails(tx, approved, { beginsAtDay: 1, withdrawn: true, now })
  const entry = { businessId, action: 'operator.withdraw_volume', subject: domain, details: {} }
  await recordAudit(tx, [entry], now)
}
