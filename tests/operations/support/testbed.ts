/** A service with its catalogue, and people with the rights that a test needs. */

import { startSession } from 'crier-server/accounts/sign-in/session.ts'
import type { Config } from 'crier-server/config.ts'
import type { Id } from 'crier-server/core/ids.ts'
import type { Operation, Tier } from 'crier-server/core/operation.ts'
import type { Vault } from 'crier-server/lib/crypto/vault.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { appCatalogOf } from 'crier-server/operations/catalog.ts'
import { freshCatalog, nowhere } from '../../../scripts/generators/catalog.ts'
import { newBusiness } from '../../support/businesses/business.ts'
import {
  type GrantOptions,
  type MemberOptions,
  newGrant,
  newMember,
  tokenMint,
} from '../../support/clients/grants.ts'
import { type RestCaller, restCaller } from '../../support/clients/rest-caller.ts'
import { type EntryCaller, type ToolCaller, toolCaller } from '../../support/clients/tool-caller.ts'
import { type Service, type ServiceOptions, startService } from '../../support/processes/service.ts'

export interface Testbed {
  db: Database
  newBusiness(tier?: Tier): Promise<Id<'business'>>
  /** The owner of a new business, with a connection to that business alone. */
  someone(tier?: Tier): Promise<{ businessId: Id<'business'>; owner: ToolCaller }>
  /** A new person with their own connection; `endpoint` if it is not the testbed's. */
  caller(grant: GrantOptions, endpoint?: string): Promise<ToolCaller>
  /** The same, with the REST gateway. */
  restCaller(grant: GrantOptions): Promise<RestCaller>
  /** A new person who calls at both entry points through one connection. */
  bothEntries(grant: GrantOptions): Promise<{ tools: ToolCaller; rest: RestCaller }>
  /** A new person signed in to the app, whose pages call the gateway. */
  /** A new person, or with `userId` another session of one. */
  appCaller(
    member: MemberOptions & { userId?: Id<'user'> },
  ): Promise<RestCaller & { userId: Id<'user'> }>
  /** The session cookie of such a person. */
  newSession(member: MemberOptions): Promise<string>
}

/** The two entry points of operations, which must behave the same. */
export const entryPoints: Record<
  string,
  (testbed: Testbed, grant: GrantOptions) => Promise<EntryCaller>
> = {
  'as a tool': (testbed, grant) => testbed.caller(grant),
  'over REST': (testbed, grant) => testbed.restCaller(grant),
}

/** The address of a service, and the parts that sign its tokens. */
export interface Address {
  db: Database
  vault: Vault
  config: Config
  endpoint: string
}

export function testbedAt(address: Address): Testbed {
  const { db } = address
  const mint = tokenMint(address)
  const caller: Testbed['caller'] = async (options, endpoint = address.endpoint) => {
    const grant = await newGrant(db, options)
    return toolCaller(endpoint, () => mint(grant))
  }
  const restAs = (grant: Awaited<ReturnType<typeof newGrant>>) =>
    restCaller(address.config.gatewayUrl, everyOperation, () => mint(grant))
  return {
    db,
    newBusiness: (tier) => newBusiness(db, tier),
    async someone(tier) {
      const businessId = await newBusiness(db, tier)
      return { businessId, owner: await caller({ businesses: [businessId] }) }
    },
    caller,
    restCaller: async (options) => restAs(await newGrant(db, options)),
    async bothEntries(options) {
      const grant = await newGrant(db, options)
      return { tools: toolCaller(address.endpoint, () => mint(grant)), rest: restAs(grant) }
    },
    async newSession(options) {
      return startSession(db, await newMember(db, options), new Date())
    },
    async appCaller(options) {
      const { gatewayUrl, appUrl } = address.config
      const userId = options.userId ?? (await newMember(db, options))
      const session = () => startSession(db, userId, new Date())
      const caller = restCaller(gatewayUrl, everyOperation, session, (token) => ({
        cookie: `crier-session=${token}`,
        origin: appUrl,
      }))
      return { ...caller, userId }
    },
  }
}

export interface OwnTestbed extends Testbed {
  service: Service
  close(): Promise<void>
}

/** A testbed for one test, in this process. */
export async function openTestbed(options: ServiceOptions = {}): Promise<OwnTestbed> {
  // Its callers replace a token that nears its rate limit, for the same connection and any number
  // of calls. The limit of a connection has its own tests.
  const settings = { REQUESTS_PER_CONNECTION: '30000', ...options.settings }
  const service = await startService({ ...options, settings })
  return { ...testbedAt(service), service, close: () => service.close() }
}

/** The catalogue of every service. */
export const catalog: readonly Operation[] = freshCatalog()

/** Including the operations that exist only in the app. */
/** Those for everybody, and those of the app. */
export const everyOperation: readonly Operation[] = [...catalog, ...appCatalogOf(nowhere)]

export const writingOperations = catalog.filter(({ hints }) => !hints.readOnly)
