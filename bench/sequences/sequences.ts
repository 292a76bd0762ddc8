/** Sequences with many people inside: what is due, a burst of events, and one event beside a campaign. */
import { type Bench, number } from '../support/bench.ts'
import { sizes } from '../support/sizes.ts'
import { dueAtOnce } from './due-at-once.ts'
import { ownEvent } from './own-event.ts'
import { count } from './place.ts'

const { inside, due, burst, besideCampaign, neighbourSeconds } = sizes.sequences

export const sequences: Bench = {
  name: 'sequences',
  title: 'Sequences: many people inside, and many due at one moment',
  method: `${number(inside)} people of a business are inside ${count} sequences, and ${number(due)} of them are due at one moment, each for a mail of 20 kB HTML with words and links of their own and a DKIM signature by RSA-2048, into smtp-sink over 20 connections, by the whole service (role all, durable PostgreSQL) on the same machine. The rate is from that moment until the relay has accepted the last mail; beside it, in the same run, a campaign of the same mail to as many. The rows are those of \`sequence_entries\` that PostgreSQL counted as read meanwhile. Another business calls \`contact.upsert\` every 50 ms, ${number(neighbourSeconds)} s before and all the while. Then \`contact.track\` tells of ${number(burst.events)} events a second for ${number(burst.seconds)} s, in calls of 1,000 by two clients, each of which lets somebody in. At last, in a service of its own, a campaign to ${number(besideCampaign.contacts)} is sent, and every 200 ms for ${number(besideCampaign.seconds)} s an own event lets somebody in whose first step is a mail: measured is the time from the answer of the call to the relay's 250.`,

  run: async (tell) => [...(await dueAtOnce(tell)), ...(await ownEvent(tell))],
}
