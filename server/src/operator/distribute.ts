/** `crier distribute`: the tables of businesses onto the nodes of Citus, and one business onto a node. */

import { refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { distribute, placeBusiness } from '../lib/citus/distribute.ts'
import { readPlan, type Step } from '../lib/citus/plan.ts'
import { type Lack, readLacks, readNodes } from '../lib/citus/readiness.ts'
import { sql } from '../lib/db/db.ts'
import type { Database } from '../lib/db/types.ts'
import type { LaneName } from '../lib/jobs/job.ts'
import type { Clock } from '../lib/time/clock.ts'
import { campaignLanes } from '../messages/queue.ts'
import { laneOf } from '../webhooks/model/delivery.ts'

export interface StepProgress {
  step: Step
  done: number
  ofSteps: number
}

export interface DistributeCommands {
  /** What is missing, and what would be done. Changes nothing. */
  plan(): Promise<Record<string, unknown>>
  /** Goes on where an earlier run ended. */
  run(wanted: {
    shards?: string | undefined
    onStep?: (progress: StepProgress) => void
  }): Promise<Record<string, unknown>>
  /** Gives a business a shard of its own and moves it to a node, `host:port`. */
  place(business: string, node: string): Promise<Record<string, unknown>>
}

/** Citus has 32 by default. A shard is the least that moves, so more of them than there will be nodes. */
const shardLimits = { default: 32, least: 1, most: 256 } as const

interface Parts {
  db: Database
  clock: Clock
  /** The pool of one node of the service. */
  connections: number
}

export function distributeCommands({ db, clock, connections }: Parts): DistributeCommands {
  const lacksNow = () => readLacks(db, { connections, now: clock.now() })
  return {
    async plan() {
      const missing = await lacksNow()
      if (missing.some(({ subject }) => subject === 'extension')) return { ready: false, missing }
      const steps = await readPlan(db)
      const bytes = steps.reduce((all, step) => all + ('size' in step ? step.size.bytes : 0), 0)
      return { ready: missing.length === 0, missing, bytes, steps: steps.map(rowOf) }
    },

    async run({ shards = String(shardLimits.default), onStep }) {
      const count = shardsOf(shards)
      const missing = await lacksNow()
      if (missing.length > 0) throw notReady(missing)
      const steps = await distribute(db, {
        shards: count,
        lanes: await pausableLanes(db),
        ...(onStep && { onStep }),
      })
      return {
        steps: steps.length,
        next: 'Start the service again, on every node: it learns of the nodes at its start.',
      }
    },

    async place(business, node) {
      const businessId = parseId('business', business)
      if (!businessId) {
        throw refuse('invalid_request', `"${business}" is not the id of a business.`)
      }
      const [, host = '', port = ''] = /^(.{1,253}):(\d{1,5})$/.exec(node) ?? []
      if (host === '') {
        throw refuse('invalid_request', `The node is host:port, not "${node}".`, { field: 'node' })
      }
      await refusePlacing(db, { businessId, host, port: Number(port) })
      const shards = await placeBusiness(db, businessId, { host, port: Number(port) })
      return { business_id: formatId('business', businessId), node, shards }
    },
  }
}

/** Before the shards of the business are split, which nothing takes back. */
async function refusePlacing(
  db: Database,
  wanted: { businessId: Id<'business'>; host: string; port: number },
): Promise<void> {
  if (!db.isDistributed()) {
    throw refuse('conflict', 'The database is one PostgreSQL: there is no node to choose.')
  }
  const business = await db.maybe(sql`select from businesses where id = ${wanted.businessId}`)
  if (!business) {
    const id = formatId('business', wanted.businessId)
    throw refuse('not_found', `There is no business ${id}.`)
  }
  const nodes = (await readNodes(db)).filter(({ isActive, hasShards }) => isActive && hasShards)
  if (nodes.some(({ host, port }) => host === wanted.host && port === wanted.port)) return
  const names = nodes.map(({ host, port }) => `${host}:${port}`).join(', ')
  const words = `${wanted.host}:${wanted.port} is no node that takes rows: ${names}.`
  throw refuse('invalid_request', words, { field: 'node' })
}

/** The lanes of webhooks and campaigns, which alone are paused. */
async function pausableLanes(db: Database): Promise<LaneName[]> {
  const webhooks = await db.all<{ businessId: Id<'business'>; webhookId: Id<'webhook'> }>(
    sql`select business_id as "businessId", id as "webhookId" from webhooks`,
  )
  const campaigns = await db.all<Parameters<typeof campaignLanes>[0]>(
    sql`select business_id as "businessId", id as "campaignId", channel from campaigns`,
  )
  return [...webhooks.map(laneOf), ...campaigns.flatMap(campaignLanes)]
}

function shardsOf(text: string): number {
  const { least: minimum, most: maximum } = shardLimits
  const shards = Number(text)
  if (Number.isInteger(shards) && shards >= minimum && shards <= maximum) return shards
  const words = `--shards must be a whole number from ${minimum} to ${maximum}, not "${text}".`
  throw refuse('invalid_request', words, { field: 'shards' })
}

function notReady(missing: readonly Lack[]) {
  const words = missing.map(({ subject, text, mend }) => `${subject}: ${text}. ${mend}`)
  return refuse('conflict', `Nothing was changed. ${words.join(' ')}`, { data: { missing } })
}

function rowOf(step: Step): Record<string, unknown> {
  if (!('size' in step)) return { ...step }
  const { size, ...row } = step
  return { ...row, ...size }
}
