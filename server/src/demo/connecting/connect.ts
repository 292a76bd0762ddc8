/** Two connected assistants of the demo's owner, and an API key, each with its latest calls. */

import { type Id, newId, newPublicId, parseId } from '../../core/ids.ts'
import type { Scope } from '../../core/operation.ts'
import { randomToken, sha256 } from '../../lib/crypto/vault.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { days, later, minutes } from '../../lib/time/clock.ts'
import type { DemoCalls } from '../calls.ts'
import { insertCalls, insertClient, insertConnection, insertOrdered } from './connection-queries.ts'

interface DemoApp {
  /** The client's id, by which the demo is wiped. */
  clientId: string
  name: string
  redirectUri: string
  scopes: Scope[]
  recipientsPerDay: number | null
  daysAgo: number
  /** Minutes since each call, the operation, and its outcome if it was not done. */
  calls: readonly (readonly [ago: number, operation: string, outcome?: string])[]
}

const apps: readonly DemoApp[] = [
  {
    clientId: 'demo-claude',
    name: 'Claude',
    redirectUri: 'https://claude.ai/api/mcp/auth_callback',
    scopes: ['meta:read', 'forms:read', 'audience:read', 'audience:write', 'messaging:send'],
    recipientsPerDay: 500,
    daysAgo: 21,
    calls: [
      [124, 'campaign.get'],
      [125, 'campaign.deploy', 'rate_limited'],
      [127, 'campaign.preview'],
      [128, 'campaign.generate'],
      [131, 'contact.count'],
      [133, 'email.send'],
      [134, 'template.preview'],
      [141, 'contact.upsert'],
      [141, 'segment.list'],
      [142, 'business.list'],
    ],
  },
  {
    clientId: 'demo-reports',
    name: 'Weekly report',
    redirectUri: 'http://localhost:8123/callback',
    scopes: ['meta:read', 'audience:read'],
    recipientsPerDay: null,
    daysAgo: 48,
    calls: [
      [2_880, 'campaign.results'],
      [2_880, 'campaign.list'],
      [2_881, 'meta.usage'],
    ],
  },
]

export const demoClients: readonly string[] = apps.map(({ clientId }) => clientId)

interface Connecting {
  userId: Id<'user'>
  businesses: readonly Id<'business'>[]
  now: Date
}

/** Nobody has the tokens of these connections, so that they only look like connections. */
export async function connectApps(tx: Tx, { userId, businesses, now }: Connecting): Promise<void> {
  for (const app of apps) {
    const id = newId('connection')
    const createdAt = later(now, -days(app.daysAgo))
    await insertClient(tx, { ...app, createdAt })
    await insertConnection(tx, {
      ...app,
      id,
      userId,
      businesses,
      createdAt,
      lastUsedAt: later(now, -minutes(app.calls[0]?.[0] ?? 0)),
      refreshHash: sha256(randomToken()),
      expiresAt: later(now, days(30)),
    })
    await insertCalls(tx, id, { calls: callsOf(app.calls, now), at: now })
    const [first] = businesses
    if (app.recipientsPerDay !== null && first) {
      const at = later(now, -minutes(133))
      await insertOrdered(tx, first, { id, amount: 212, at })
    }
  }
}

/** An API key of a shop that sends receipts. */
export async function makeKey(
  db: Db,
  calls: DemoCalls,
  { businessId, now }: { businessId: Id<'business'>; now: Date },
): Promise<void> {
  const { key_id } = await calls<{ key_id: string }>('key.create', {
    name: 'Online shop',
    scopes: ['meta:read', 'audience:write', 'messaging:send'],
    recipients_per_day: 2_000,
  })
  const id = parseId('connection', key_id)
  if (!id) return
  const shop = Array.from({ length: 12 }, (_, i) => {
    const outcome = i === 5 ? 'invalid_request' : 'ok'
    return [4 + i * 17, i % 3 === 2 ? 'contact.upsert' : 'email.send', outcome] as const
  })
  await insertCalls(db, id, { calls: callsOf(shop, now), at: now })
  await insertOrdered(db, businessId, { id, amount: 348, at: later(now, -minutes(90)) })
}

const callsOf = (calls: DemoApp['calls'], now: Date) =>
  calls.map(([ago, operation, outcome = 'ok']) => ({
    operation,
    outcome,
    at: later(now, -minutes(ago)).toISOString(),
    request_id: newPublicId('request'),
  }))
