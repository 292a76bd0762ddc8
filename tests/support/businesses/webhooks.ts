/** The webhook operations on a database, for tests below the entry points. */

import type { Id } from 'crier-server/core/ids.ts'
import type { Operation } from 'crier-server/core/operation.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import {
  createGuard,
  type OutboundGuard,
  parseAllowRule,
  type Resolve,
} from 'crier-server/lib/http-client/outbound-guard.ts'
import { catalogOf } from 'crier-server/operations/catalog.ts'
import type { Rights } from 'crier-server/webhooks/model/rights.ts'
import { nowhere } from '../../../scripts/generators/catalog.ts'
import { testVault } from '../clients/calls.ts'

/** Gives every connection access to every business, except the connections in `ended`. */
export class TestRights implements Rights {
  readonly ended: Set<string> = new Set()

  reachOf: Rights['reachOf'] = async (db, connections) => {
    const all = await db.all<{ id: Id<'business'> }>(sql`select id from businesses`)
    const reached = new Set(all.map(({ id }) => id))
    return new Map(connections.filter((id) => !this.ended.has(id)).map((id) => [id, reached]))
  }

  namesOf: Rights['namesOf'] = async () => new Map()

  candidateOf: Rights['candidateOf'] = async () => undefined
}

export type WebhookTools = Record<
  | 'save'
  | 'list'
  | 'get'
  | 'delete'
  | 'rotate'
  | 'failed'
  | 'deliveries'
  | 'replay'
  | 'retry'
  | 'test',
  Operation
>

export interface ToolsOptions {
  rights?: Rights
  resolve?: Resolve
  /** The same values as in OUTBOUND_ALLOW. */
  allow?: readonly string[]
  allowHttp?: boolean
}

/** All names resolve to a public address, unless `resolve` is given. */
export function webhookTools(options: ToolsOptions = {}): WebhookTools {
  const { rights = new TestRights() } = options
  const guard = testGuard(options)
  const catalog = catalogOf({ ...nowhere, webhooks: { vault: testVault, guard, rights } })
  const tools = catalog.flatMap((operation): [string, Operation][] => {
    const [noun, verb = ''] = operation.name.split('.')
    return noun === 'webhook' ? [[verb, operation]] : []
  })
  return Object.fromEntries(tools) as WebhookTools
}

export function testGuard({ allow = [], allowHttp = false, resolve }: ToolsOptions): OutboundGuard {
  const rules = allow.map((text) => parseAllowRule(text) ?? raise(`no rule: ${text}`))
  return createGuard({ rules, allowHttp, resolve: resolve ?? (async () => ['93.184.216.34']) })
}

function raise(text: string): never {
  throw new Error(text)
}
