/** The tracking image at the end of a message: loading it means that the message was displayed. */

import { ingestReports } from '../bounces/ingest-reports.ts'
import type { Messages } from '../bounces/message-lookup.ts'
import type { Report } from '../bounces/report.ts'
import { createBatcher, ofBusinesses } from '../lib/concurrency/batch.ts'
import { minutes, seconds } from '../lib/time/clock.ts'
import type { ClickDeps, MessageKey } from './clicks.ts'
import { readToken } from './tokens.ts'
import { isMachine, isReadersProxy, type Visit } from './visitor.ts'

/** An open by a reader's proxy so soon after the mail was accepted is a scan at delivery. */
const scannedWithin = seconds(10)

export interface Opens {
  /** Records an open. A token that was not made here has no effect. */
  keep(token: string, visit: Visit): Promise<void>
}

interface Loaded extends MessageKey {
  at: Date
  /** `proxy` where the moment decides. */
  by: 'machine' | 'person' | 'proxy'
}

export function createOpens(deps: ClickDeps & { messages: Messages }): Opens {
  const { db, messages, vault, clock } = deps
  const keepOne = createBatcher<Loaded, void>({
    maxItems: 500,
    businessOf: ofBusinesses(db, ({ businessId }) => businessId),
    async flush(loads) {
      const proxied = loads.filter(({ by }) => by === 'proxy')
      // Most flushes have none, and need no statement more.
      const accepted = proxied.length > 0 ? await messages.acceptances(db, proxied) : []
      const acceptedAt = new Map(accepted.map(({ messageId, at }) => [messageId, at]))
      const reports = loads.map((load) => reportOf(load, acceptedAt.get(load.messageId)))
      await ingestReports(deps, reports, clock.now())
      return loads.map(() => undefined)
    },
  })
  return {
    async keep(token, visit) {
      const subject = readToken(vault, 'open', token)
      if (!subject) return
      const { businessId, messageId } = subject
      const by = isReadersProxy(visit) ? 'proxy' : isMachine(visit) ? 'machine' : 'person'
      await keepOne({ businessId, messageId, at: clock.now(), by })
    },
  }
}

function reportOf({ messageId, at, by }: Loaded, acceptedAt: Date | undefined): Report {
  const machine = by === 'proxy' ? isScan(at, acceptedAt) : by === 'machine'
  // One open per minute, because mail programs load the image again at every view.
  const identity = `${Math.floor(at.getTime() / minutes(1))} ${machine}`
  return { messageId, at, source: 'image', identity, words: '', event: 'opened', machine }
}

/** A mail whose acceptance is not recorded yet was accepted at this moment. */
function isScan(at: Date, acceptedAt: Date | undefined): boolean {
  return acceptedAt === undefined || at.getTime() - acceptedAt.getTime() < scannedWithin
}
