/** The outcome of an attempt: derived from the next hop's reply, and as it is stored on disk. */

import type { Id } from '../../core/ids.ts'
import { isSimulated } from '../../core/inbox/simulated-address.ts'
import type { SenderRequirement } from '../../lib/email/sender-requirements.ts'
import type { HeldJob } from '../../lib/jobs/claim.ts'
import type { Message } from '../model/message.ts'
import type { Ending } from './attempt-queries.ts'
import type { Answer } from './carrier.ts'
import { nextTry } from './retry.ts'

/** The outcome of an attempt, as the connection reported it. */
export interface Outcome extends Omit<Ending, 'eventId'> {
  /** Undefined if it is unknown, as in outcomes that an older version left on disk. */
  campaignId: Id<'campaign'> | null | undefined
  /** The remote server reported that the address permanently accepts no mail. */
  suppress: boolean
  /** The person sent STOP to the provider, which blocks the number. */
  stopped: boolean
  /** The remote server refused the sender, so other messages of the stream may have to wait. */
  refusesSender: boolean
  /** What the sender lacks, for which the provider's stream waits at once. */
  missing?: readonly SenderRequirement[]
}

/** The most characters of a remote server's reply that are stored. */
const wordsKept = 500

/**
 * Derives the message's new state from the connection's reply (docs/design/sending.md has the
 * table).
 */
export function outcomeOf(message: Message, job: HeldJob, answer: Answer, now: Date): Outcome {
  const base = {
    businessId: message.businessId,
    id: message.id,
    campaignId: message.campaignId,
    attemptId: job.lease,
    at: now,
    dueAt: null,
    takenAs: null,
    segments: null,
    route: null,
    suppress: false,
    stopped: false,
    refusesSender: false,
  }
  if (answer.result === 'accepted') {
    const { code, words, takenAs = null, segments = null } = answer
    return { ...base, code, words: words.slice(0, wordsKept), takenAs, segments, state: 'accepted' }
  }
  if (answer.result === 'refused') {
    const { kind, final, code, words, isAboutMessage, missing } = answer
    const reply = { code, words: words.slice(0, wordsKept), ...(missing && { missing }) }
    if (!final) return again(message, { ...base, ...reply }, now)
    // As if the STOP had come to us: no failure of the number, and none of the text.
    if (kind === 'stopped') return { ...base, ...reply, state: 'suppressed', stopped: true }
    return kind === 'hard'
      ? { ...base, ...reply, state: 'bounced', suppress: !isSimulated(message.to) }
      : { ...base, ...reply, state: 'failed', refusesSender: kind === 'policy' && !isAboutMessage }
  }
  const lost = { ...base, code: null, words: answer.fault }
  // Marketing is sent at most once. Other messages are rather sent twice than never.
  if (answer.result === 'unclear' && message.kind === 'marketing')
    return { ...lost, state: 'unknown' }
  return again(message, lost, now)
}

function again(
  { attempts, queuedAt, dueAt }: Message,
  base: Omit<Outcome, 'state'>,
  now: Date,
): Outcome {
  const next = nextTry({ attempts, queuedAt: queuedAt ?? dueAt }, now)
  return next ? { ...base, state: 'deferred', dueAt: next } : { ...base, state: 'failed' }
}

/** The record that is on disk between the remote server's 250 and the database's commit. */
export interface Acceptance {
  business_id: string
  message_id: string
  campaign_id?: string | null
  attempt_id: string
  at: string
  code: string | null
  words: string | null
  taken_as: string | null
  segments: number | null
  /** The hop that took it, if it is not the one that the attempt began with. */
  route?: string | null
}

export function acceptanceOf(outcome: Outcome): Acceptance {
  return {
    business_id: outcome.businessId,
    message_id: outcome.id,
    ...(outcome.campaignId !== undefined && { campaign_id: outcome.campaignId }),
    attempt_id: outcome.attemptId,
    at: outcome.at.toISOString(),
    code: outcome.code,
    words: outcome.words,
    taken_as: outcome.takenAs,
    segments: outcome.segments,
    ...(outcome.route !== null && { route: outcome.route }),
  }
}

export function acceptedOutcome(entry: Acceptance): Outcome {
  return {
    businessId: entry.business_id as Outcome['businessId'],
    id: entry.message_id as Outcome['id'],
    campaignId: entry.campaign_id as Outcome['campaignId'],
    attemptId: entry.attempt_id,
    state: 'accepted',
    at: new Date(entry.at),
    dueAt: null,
    code: entry.code,
    words: entry.words,
    takenAs: entry.taken_as,
    segments: entry.segments,
    route: entry.route ?? null,
    suppress: false,
    stopped: false,
    refusesSender: false,
  }
}
