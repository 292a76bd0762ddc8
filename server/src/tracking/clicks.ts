/** Tracked links: finds the destination of a link, and records clicks. */

import { createHash } from 'node:crypto'
import type { Id } from '../core/ids.ts'
import { createBatcher } from '../lib/concurrency/batch.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import type { Database } from '../lib/db/types.ts'
import { enqueue } from '../lib/jobs/enqueue.ts'
import type { NewJob } from '../lib/jobs/job.ts'
import { type Clock, later } from '../lib/time/clock.ts'
import { judgedAfterMs } from './judge-clicks.ts'
import { hiddenHash } from './link.ts'
import { findLink } from './link-queries.ts'
import { readToken, type TokenSubject } from './token.ts'
import { insertVisits, type LinkVisit, type MessageKey } from './visit-queries.ts'
import { isMachine, type Visit, visitorMark } from './visitor.ts'

export interface ClickDeps {
  db: Database
  clock: Clock
  vault: Pick<Vault, 'hmac'>
}

export interface Clicks {
  /**
   * Finds the link of a token. Null for the hidden link, undefined for a token that was not made
   * here or whose link was deleted.
   */
  find(token: string): Promise<Followed | undefined>
  /** Records a click. */
  keep(followed: Followed, visit: Visit): Promise<void>
}

export interface Followed {
  url: string | null
  named: TokenSubject
}

export const judgeJob = 'feedback.judge-clicks'

export interface JudgePayload {
  business_id: Id<'business'>
  message_id: Id<'message'>
  since: string
}

export function createClicks({ db, clock, vault }: ClickDeps): Clicks {
  const keepOne = createBatcher<LinkVisit, void>({
    maxItems: 500,
    async flush(visits) {
      await db.tx(async (tx) => {
        const inserted = await insertVisits(tx, visits)
        if (inserted.length > 0) await enqueue(tx, judgements(inserted), clock.now())
      })
      return visits.map(() => undefined)
    },
  })
  return {
    async find(token) {
      const subject = readToken(vault, 'click', token)
      if (!subject) return undefined
      const hash = hashIn(subject)
      if (hash.equals(hiddenHash)) return { named: subject, url: null }
      const url = await findLink(db, subject.businessId, hash)
      return url === undefined ? undefined : { named: subject, url }
    },
    async keep({ named: subject }, visit) {
      const { businessId, messageId } = subject
      const hash = hashIn(subject)
      const visitor = visitorMark(vault, visit)
      const at = clock.now()
      const second = String(Math.floor(at.getTime() / 1000))
      await keepOne({
        businessId,
        messageId,
        id: uuidFrom(hash.toString('hex'), visitor.toString('hex'), second, visit.method),
        linkHash: hash.equals(hiddenHash) ? null : hash,
        links: subject.rest[16] ?? 0,
        visitor,
        machine: isMachine(visit),
        at,
      })
    },
  }
}

const hashIn = ({ rest }: TokenSubject) => rest.subarray(0, 16)

/** Queues one job for a message's clicks within a few seconds, due when they can be judged. */
function judgements(visits: readonly Pick<LinkVisit, keyof MessageKey | 'at'>[]): NewJob[] {
  const jobs = new Map<string, NewJob>()
  for (const { businessId, messageId, at } of visits) {
    const slot = Math.floor(at.getTime() / judgedAfterMs)
    const since = new Date(slot * judgedAfterMs)
    const id = uuidFrom(judgeJob, messageId, String(slot)) as Id<'job'>
    const payload: JudgePayload = {
      business_id: businessId,
      message_id: messageId,
      since: since.toISOString(),
    }
    const dueAt = later(since, 2 * judgedAfterMs)
    jobs.set(id, { kind: judgeJob, lane: businessId, payload, id, dueAt })
  }
  return [...jobs.values()]
}

/** A UUID of version 8 (RFC 9562 section 5.8) that is the same for the same names. */
function uuidFrom(...names: string[]): string {
  const hex = createHash('sha256').update(names.join(' ')).digest('hex')
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ]
  return `${groups.join('-')}-${hex.slice(20, 32)}`
}
