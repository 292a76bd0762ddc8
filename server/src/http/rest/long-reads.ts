/**
 * Files that are read from the database page by page while they are sent, by links that need no
 * token. Whoever has such a link can ask for it as often as they like, so a business and the process
 * have a fixed number of them at once, pages are read in turns, and a reader who takes nothing is
 * cut off. The link ends with its maker's rights, also while it is read.
 */

import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { personPrincipal } from '../../accounts/sign-in/principal.ts'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { type LinkMaker, mayStillRead } from '../../core/link-maker.ts'
import type { Principal } from '../../core/operation.ts'
import { createQueues } from '../../lib/concurrency/queues.ts'
import type { Db } from '../../lib/db/types.ts'
import { hours, seconds } from '../../lib/time/clock.ts'

export interface LongReadsDeps {
  db: Db
  /** The principal of a live connection. */
  principalOf(connectionId: Id<'connection'>): Promise<Principal | undefined>
  limits?: Partial<typeof longReadLimits>
}

export const longReadLimits = {
  ofBusiness: 2,
  ofProcess: 20,
  /** How long a reader may take for one piece before it is cut off. */
  stalledMs: seconds(30),
  /** How long a whole file may take: as long as its link is good. */
  wholeMs: hours(1),
}

export interface LongRead {
  businessId: Id<'business'>
  /** Undefined in a link from before its maker was recorded, which is over. */
  maker: LinkMaker | undefined
  headers: Readonly<Record<string, string>>
  /** What a link that is over, or never was, is answered. */
  missing: Refusal
  /** The pages; reading the next one is a turn. */
  open(): Promise<AsyncGenerator<string> | Refusal>
}

export interface LongReads {
  answer(request: FastifyRequest, reply: FastifyReply, read: LongRead): Promise<FastifyReply>
}

/** Bytes of a piece: a reader of 3 kB a second takes one in time. */
const pieceBytes = 64 * 1024
/** Seconds after which a caller beyond the limit may try again. */
const retryAfter = 5

export function createLongReads(deps: LongReadsDeps): LongReads {
  const { db, principalOf } = deps
  const limits = { ...longReadLimits, ...deps.limits }
  const running = new Map<Id<'business'>, number>()
  let runningInAll = 0
  // A business has one page in the queue of the process, whatever number of files it reads.
  const turnsOfBusiness = createQueues()
  const turnsOfProcess = createQueues()

  const mayRead = async ({ businessId, maker }: LongRead): Promise<boolean> => {
    if (!maker) return false
    const { connection_id: connectionId, user_id: userId } = maker
    const principal = await (connectionId === null
      ? personPrincipal(db, userId)
      : principalOf(connectionId))
    return mayStillRead(principal, businessId, maker)
  }

  const enter = (businessId: Id<'business'>): (() => void) => {
    const own = running.get(businessId) ?? 0
    if (own >= limits.ofBusiness) throw tooMany(`${limits.ofBusiness} files of this business are`)
    if (runningInAll >= limits.ofProcess) throw tooMany('Many files are')
    running.set(businessId, own + 1)
    runningInAll++
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      runningInAll--
      const remaining = (running.get(businessId) ?? 1) - 1
      if (remaining > 0) running.set(businessId, remaining)
      else running.delete(businessId)
    }
  }

  async function* pieces(read: LongRead, pages: AsyncGenerator<string>, cutOff: () => void) {
    const turn = () => turnsOfProcess.take('page', () => pages.next())
    const whole = setTimeout(cutOff, limits.wholeMs)
    let stalled: NodeJS.Timeout | undefined
    try {
      for (;;) {
        const page = await turnsOfBusiness.take(read.businessId, turn)
        if (page.done) return
        const bytes = Buffer.from(page.value)
        for (let from = 0; from < bytes.length; from += pieceBytes) {
          stalled = setTimeout(cutOff, limits.stalledMs)
          yield bytes.subarray(from, from + pieceBytes)
          clearTimeout(stalled)
        }
        if (!(await mayRead(read))) return cutOff()
      }
    } finally {
      clearTimeout(stalled)
      clearTimeout(whole)
      await pages.return(undefined)
    }
  }

  return {
    async answer(request, reply, read) {
      if (!(await mayRead(read))) throw read.missing
      // Only the headers: reading the whole file for them would be work for nothing.
      if (request.method === 'HEAD') return reply.headers(read.headers).send()
      const leave = enter(read.businessId)
      reply.raw.once('close', leave)
      try {
        const pages = await read.open()
        if (isRefusal(pages)) throw pages
        reply.headers(read.headers)
        const cutOff = () => void reply.raw.destroy()
        return reply.send(Readable.from(pieces(read, pages, cutOff), { objectMode: false }))
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

function tooMany(which: string): Refusal {
  const text = `${which} being read already. Wait until one has ended, and read one after the other.`
  return refuse('rate_limited', text, { retryAfter })
}
