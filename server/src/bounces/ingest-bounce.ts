/** Processes one mail that arrived at an address of the bounce server. */

import type { Id } from '../core/ids.ts'
import { sha256, type Vault } from '../lib/crypto/vault.ts'
import { isComplaintAddress } from '../lib/email/complaint-address.ts'
import { readReturnPath } from '../messages/return-path.ts'
import { type FeedbackDeps, ingestReports } from './ingest-reports.ts'
import {
  type ReturnedMail,
  readComplaint,
  readDeliveryStatus,
  readMail,
  readPlainBounce,
} from './read-report.ts'
import type { Report } from './report.ts'

/**
 * - `taken`: the report is new.
 * - `repeated`: the report was processed before, or its message no longer exists.
 * - `no report`: a reply by a person or a machine, or a notice about none of our messages.
 */
export type IngestOutcome = 'taken' | 'repeated' | 'no report'

export function isOurs(vault: Pick<Vault, 'hmac'>, recipient: string): boolean {
  return readReturnPath(vault, recipient) !== undefined || isComplaintAddress(vault, recipient)
}

export async function ingestBounce(
  deps: FeedbackDeps,
  { recipient, source, now }: { recipient: string; source: Buffer; now: Date },
): Promise<IngestOutcome> {
  const mail = await readMail(source)
  const report = mail && reportOf(deps.vault, recipient, mail, now)
  if (!report) return 'no report'
  // A copy has the same Message-ID; a notification without one is identified by its bytes.
  const identity = mail.messageId ?? sha256(source).toString('hex')
  const count = await ingestReports(deps, [{ ...report, identity }], now)
  return count > 0 ? 'taken' : 'repeated'
}

function reportOf(
  vault: Pick<Vault, 'hmac'>,
  recipient: string,
  mail: ReturnedMail,
  at: Date,
): Report | undefined {
  const messageId = readReturnPath(vault, recipient) ?? messageNamedIn(vault, mail)
  if (!messageId) return undefined
  const complaint = readComplaint(mail)
  const common = { messageId, at, identity: '' }
  if (complaint) {
    return { ...common, event: 'complained', source: 'complaint report', words: complaint.words }
  }
  const status = readDeliveryStatus(mail) ?? readPlainBounce(mail)
  if (!status) return undefined
  const { action, verdict, words } = status
  const delivery = { ...common, source: 'delivery report', words }
  switch (action) {
    case 'delivered':
      return { ...delivery, event: 'delivered' }
    case 'delayed':
      return { ...delivery, event: 'deferred', verdict }
    case 'failed':
      return { ...delivery, event: 'bounced', verdict }
  }
}

const parts = ['message/feedback-report', 'text/rfc822-headers', 'message/rfc822']

/** The most addresses that are tried, each with an HMAC. */
const mostTries = 20

/**
 * Finds the message that a complaint is about. The address of complaints names no message, so the
 * mail must contain something that only we can have made: the return path, which providers repeat
 * in `Original-Mail-From` and in the headers of the message that they enclose.
 */
function messageNamedIn(vault: Pick<Vault, 'hmac'>, mail: ReturnedMail): Id<'message'> | undefined {
  const text = parts.map((type) => mail.parts.get(type) ?? '').join('\n')
  const senders = text.matchAll(/\bb\+msg_[0-9a-z]{26}\.[0-9a-f]{20}@[^\s<>"';,]{1,255}/gi)
  for (const [address] of senders.take(mostTries)) {
    const messageId = readReturnPath(vault, address)
    if (messageId) return messageId
  }
  return undefined
}
