/** The tracking image at the end of a message: loading it means that the message was displayed. */

import { ingestReports } from '../bounces/ingest-reports.ts'
import type { Messages } from '../bounces/message-lookup.ts'
import type { Report } from '../bounces/report.ts'
import { createBatcher } from '../lib/concurrency/batch.ts'
import { minutes } from '../lib/time/clock.ts'
import type { ClickDeps } from './clicks.ts'
import { readToken } from './token.ts'
import { isMachine, type Visit } from './visitor.ts'

export interface Opens {
  /** Records an open. A token that was not made here has no effect. */
  keep(token: string, visit: Visit): Promise<void>
}

export function createOpens(deps: ClickDeps & { messages: Messages }): Opens {
  const { vault, clock } = deps
  const keepOne = createBatcher<Report, void>({
    maxItems: 500,
    async flush(reports) {
      await ingestReports(deps, reports, clock.now())
      return reports.map(() => undefined)
    },
  })
  return {
    async keep(token, visit) {
      const named = readToken(vault, 'open', token)
      if (!named) return
      const [at, machine] = [clock.now(), isMachine(visit)]
      // One open per minute, because mail programs load the image again at every view.
      const identity = `${Math.floor(at.getTime() / minutes(1))} ${machine}`
      const { messageId } = named
      const told = { messageId, at, source: 'image', identity, words: '' }
      await keepOne({ ...told, event: 'opened', machine })
    },
  }
}
