/** Tracking as in the service, with the resulting mail as complete texts. */

import { createSenderProfileReader } from 'crier-server/accounts/businesses/sender-profile.ts'
import type { Database, Db } from 'crier-server/lib/db/types.ts'
import { textOf } from 'crier-server/lib/email/quoted-printable.ts'
import type { Clock } from 'crier-server/lib/time/clock.ts'
import { createTracking } from 'crier-server/tracking/track.ts'
import type { ToTrack } from 'crier-server/tracking/track-mail.ts'
import { testVault } from '../clients/calls.ts'

export function testTracking(db: Database, clock: Clock, baseUrl = 'https://t.test') {
  const senderProfileOf = createSenderProfileReader(db, clock)
  const tracking = createTracking({ vault: testVault, clock, config: { baseUrl }, senderProfileOf })
  return {
    async prepare(what: ToTrack, from: Db = db) {
      const { html, text, headers } = await tracking.prepare(from, what)
      return { ...(html !== undefined && { html: textOf(html) }), text: textOf(text), headers }
    },
    preferencesUrl: tracking.preferencesUrl,
  }
}
