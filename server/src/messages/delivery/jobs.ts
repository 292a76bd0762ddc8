/** The background jobs of messages. `worker.ts` adds them to its list. */

import { limits } from '../../config.ts'
import { type Channel, channels } from '../../contacts/contact.ts'
import { keepPartitions } from '../../lib/db/partitions.ts'
import type { JobKind, JobKinds } from '../../lib/jobs/job.ts'
import { days, hours, later, minutes } from '../../lib/time/clock.ts'
import { deleteOldBuckets } from '../../usage/approval-limit.ts'
import { deleteRecent } from '../intake/save-queries.ts'
import { sendJobs } from '../model/queue.ts'
import { deleteIdleStreams } from '../throttle/stream-queries.ts'
import type { Carrier } from './carrier.ts'
import { chunkRetries } from './retry.ts'
import { type ChunkDeps, createChunkSender } from './send-chunk.ts'
import { createShares } from './shares.ts'

export interface MessageJobDeps extends Omit<ChunkDeps, 'carrier' | 'shares' | 'channel'> {
  carriers: Readonly<Record<Channel, Carrier>>
}

const messageEventsKeptDays = 400
/** After this many days without a sender's messages, a provider no longer knows the sender. */
const streamsKeptDays = 90

export function messageJobs(deps: MessageJobDeps): JobKinds {
  const { db, clock } = deps
  return {
    ...Object.fromEntries(channels.map((channel) => [sendJobs[channel], chunkJob(deps, channel)])),
    'message.sweep': {
      everyMs: minutes(10),
      async run() {
        await deleteRecent(db, later(clock.now(), -limits.duplicateMs))
        await deleteOldBuckets(db, clock.now())
        await deleteIdleStreams(db, later(clock.now(), -days(streamsKeptDays)))
      },
    },
    'message.keep-partitions': {
      everyMs: hours(6),
      async run() {
        const table = { name: 'message_events', column: 'created_at', step: 'month' } as const
        await keepPartitions(db, { ...table, keepDays: messageEventsKeptDays }, clock.now())
      },
    },
  }
}

function chunkJob({ carriers, ...common }: MessageJobDeps, channel: Channel): JobKind {
  const carrier = carriers[channel]
  const shares = createShares(() => carrier.connections)
  return {
    perLane: 2,
    perTurn: 1,
    // A next hop that hangs must not delay other jobs, such as sign-in mail.
    atOnce: 10,
    // Campaigns must not delay receipts either.
    bulkAtOnce: 8,
    retryDelays: chunkRetries,
    timeoutMs: hours(1),
    run: createChunkSender({ ...common, carrier, shares, channel }),
  }
}
