/** The operator's commands. They take ids as people write them, and throw refusals. */

import { createBusiness } from '../accounts/businesses/create.ts'
import { addMember } from '../accounts/businesses/memberships.ts'
import { allBusinesses } from '../accounts/businesses/overview.ts'
import { setAndCount } from '../accounts/settings/settings.ts'
import { setupLifetime } from '../accounts/sign-in/magic-link.ts'
import { allUsers, linkFromOperator } from '../accounts/sign-in/operator-link.ts'
import { setupLink } from '../accounts/sign-in/setup.ts'
import { ensureUser } from '../accounts/sign-in/sign-up.ts'
import { secretOf } from '../config/installation-secret.ts'
import type { Config } from '../config.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, type Noun, parseId } from '../core/ids.ts'
import { openVault } from '../core/installation/root-key.ts'
import { roles, tiers } from '../core/operation.ts'
import type { Database } from '../lib/db/types.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import { listDead, releaseDead } from '../lib/jobs/dead.ts'
import type { OwnServer } from '../lib/postgres/open.ts'
import { type Clock, later } from '../lib/time/clock.ts'
import { disableClients, enableClients, removeClients } from '../oauth/clients/operate.ts'
import { allowRedirect, hostedDefaults } from '../oauth/clients/redirects.ts'
import { revokeConnection } from '../oauth/connections/connections.ts'
import { addedRedirects, allClients, allConnections } from '../oauth/connections/overview.ts'
import { changeKeyOf } from '../sender-domains/keys/change-key.ts'
import { domainSettingsOf } from '../sender-domains/model/settings.ts'
import { operatorZone } from '../sender-domains/records/operator-zone.ts'
import { type BackupCommands, backupCommands } from './backups.ts'
import { type DemoCommands, demoCommands } from './demo.ts'
import { finishSecret, rotateSecret } from './secret.ts'
import { type VolumeCommands, volumeCommands } from './volumes.ts'

/** A row of output. */
export type Row = Record<string, unknown>

export interface OperatorParts {
  db: Database
  config: Config
  clock: Clock
  /** Set if the database is embedded. */
  own?: OwnServer | undefined
}

/** Every method throws a Refusal whose message says how to correct the command. */
export interface Operator {
  createBusiness(wanted: {
    name: string
    owner: string
    tier?: string
    deployLimit?: string
  }): Promise<Row>
  listBusinesses(): Promise<Row[]>
  setBusiness(id: string, key: string, value: string): Promise<Row>
  addUser(wanted: { email: string; business: string; role: string }): Promise<Row>
  listUsers(): Promise<Row[]>
  /** A link by which a user signs in without a mail. It works for ten minutes. */
  signInLink(email: string): Promise<Row>
  /** The setup link of the first start, as long as there is no user. */
  setupLink(): Promise<Row>
  listConnections(): Promise<Row[]>
  revokeConnection(id: string): Promise<Row>
  allowRedirect(uri: string): Promise<Row>
  /** Lists the rules for redirect URIs, and the clients that registered. */
  listClients(): Promise<{ allowed: Row[]; disabled: Row[]; clients: Row[] }>
  /** Refuses a client, or all that use a redirect URI, and ends their connections. */
  disableClients(target: string): Promise<Row>
  enableClients(target: string): Promise<Row>
  /** Removes a client or a rule of `allowRedirect`, and ends the connections. */
  removeClients(target: string): Promise<Row>
  /** The lines of a zone file. */
  printZone(): Promise<string>
  changeKey(domain: string): Promise<Row>
  /** Creates a new secret in addition to the current one, and returns the next steps. */
  rotateSecret(): Promise<Row>
  /** Removes all secrets except the current one. */
  finishSecret(): Promise<Row>
  /** What owners say their domains sent before. */
  volumes: VolumeCommands
  /** The commands for backups of the embedded database. */
  backups: BackupCommands
  /** Demo data: create it, remove it, and get the link by which its owner signs in. */
  demo: DemoCommands
  /** Resumes sending after a restore. */
  startSending(): Promise<Row>
  /** Returns a row for each kind and error. */
  listDead(): Promise<Row[]>
  releaseDead(kind: string): Promise<Row>
}

const relayKeys: readonly string[] = ['relay_transactional', 'relay_marketing']

export function operatorOver(parts: OperatorParts): Operator {
  const { db, config, clock } = parts
  const backups = backupCommands(parts)
  const vault = () => openVault(db, secretOf(config), clock.now())
  /** Refuses a relay that this machine's file does not name. */
  const checkRelay = (key: string, value: string): Refusal | undefined => {
    if (!relayKeys.includes(key) || value === 'default') return undefined
    const names = [...(config.relays?.relays.keys() ?? [])]
    if (names.includes(value)) return undefined
    const known = names.length > 0 ? `it has ${names.join(', ')}` : 'RELAYS is not set'
    const text = `${key} takes the name of a relay of the file RELAYS (${known}), or default.`
    return refuse('invalid_request', text, { field: key })
  }
  return {
    async createBusiness({ name, owner, tier: wanted = config.defaultTier, deployLimit: limit }) {
      const tier = oneOf(tiers, wanted, 'tier')
      const email = agreed(normaliseEmail(owner))
      const now = clock.now()
      const made = await db.tx(async (tx) => {
        const { user } = await ensureUser(tx, email, now)
        const deployLimit = config.defaultDeployLimit
        const made = agreed(
          await createBusiness(tx, { name, ownerId: user.id, tier, deployLimit, now }),
        )
        const setting = { key: 'deploy_limit', value: limit ?? '', now }
        if (limit !== undefined) agreed(await setAndCount(tx, made, setting))
        return made
      })
      return { business_id: formatId('business', agreed(made)), name, tier, owner: email }
    },

    async listBusinesses() {
      const businesses = await allBusinesses(db)
      return businesses.map(({ id, name, tier, members, createdAt }) => ({
        business_id: formatId('business', id),
        name,
        tier,
        members,
        created_at: createdAt,
      }))
    },

    async setBusiness(id, key, value) {
      const businessId = idOf('business', id)
      agreed(checkRelay(key, value))
      agreed(await setAndCount(db, businessId, { key, value, now: clock.now() }))
      return { business_id: id, [key]: value }
    },

    async addUser({ email: written, business, role: wanted }) {
      const email = agreed(normaliseEmail(written))
      const role = oneOf(roles, wanted, 'role')
      const businessId = idOf('business', business)
      const now = clock.now()
      const added = await db.tx(async (tx) => {
        const { user } = await ensureUser(tx, email, now)
        return addMember(tx, businessId, { userId: user.id, role, now })
      })
      return { email, business_id: business, role: agreed(added) }
    },

    async listUsers() {
      const users = await allUsers(db)
      return users.map(({ email, businesses, createdAt }) => ({
        email,
        businesses,
        created_at: createdAt,
      }))
    },

    async signInLink(email) {
      const made = await linkFromOperator(
        { db, vault: await vault(), urls: config },
        { email, now: clock.now() },
      )
      const { email: address, url, expiresAt } = agreed(made)
      return { email: address, url, expires_at: expiresAt }
    },

    async setupLink() {
      const url = await setupLink({ db, vault: await vault() }, config, clock.now())
      if (url) return { url, expires_at: later(clock.now(), setupLifetime) }
      throw refuse(
        'conflict',
        'The setup is finished: this installation has users. crier users link EMAIL signs one in.',
      )
    },

    async listConnections() {
      const connections = await allConnections(db, clock.now())
      return connections.map((connection) => ({
        connection_id: formatId('connection', connection.id),
        email: connection.email,
        client: connection.clientName,
        redirect_uri: connection.redirectUri,
        scopes: connection.scopes,
        created_at: connection.createdAt,
        last_used_at: connection.lastUsedAt,
        late_reuses: connection.lateReuses,
        code_reuses: connection.codeReuses,
      }))
    },

    async revokeConnection(id) {
      const connectionId = idOf('connection', id)
      const now = clock.now()
      const ended = await revokeConnection(db, { connectionId, by: 'operator', now })
      if (ended) return { connection_id: id, revoked: true }
      throw refuse(
        'not_found',
        `${id} is no connection that could be ended: crier connections list.`,
      )
    },

    async allowRedirect(uri) {
      agreed(await allowRedirect(db, uri, clock.now()))
      return { uri, allowed: true }
    },

    async listClients() {
      const [added, clients] = await Promise.all([addedRedirects(db), allClients(db)])
      const from = (source: string) => (uri: string) => ({ uri, source })
      const disabled = added.filter(({ disabledAt }) => disabledAt)
      const refused = new Set(disabled.map(({ uri }) => uri))
      const rules = [
        ...hostedDefaults.map(from('built in')),
        ...config.allowedRedirects.map(from('ALLOWED_REDIRECTS')),
        ...added.map(({ uri }) => uri).map(from('crier clients allow')),
      ]
      return {
        allowed: rules.filter(({ uri }) => !refused.has(uri)),
        disabled: disabled.map(({ uri, disabledAt }) => ({ uri, disabled_at: disabledAt })),
        clients: clients.map(({ redirectUris, createdAt, disabledAt, ...client }) => ({
          ...client,
          redirect_uris: redirectUris,
          created_at: createdAt,
          disabled_at: disabledAt,
        })),
      }
    },

    async disableClients(target) {
      const { ended, ...change } = agreed(await disableClients(db, target, clock.now()))
      return { ...change, disabled: true, connections_ended: ended }
    },

    async enableClients(target) {
      const { ended: _, ...change } = agreed(await enableClients(db, target))
      return { ...change, disabled: false }
    },

    async removeClients(target) {
      const how = { configured: config.allowedRedirects, now: clock.now() }
      const { ended, ...change } = agreed(await removeClients(db, target, how))
      return { ...change, removed: true, connections_ended: ended }
    },

    printZone() {
      const { dnsZone } = config
      if (dnsZone !== undefined) return operatorZone(db, dnsZone, domainSettingsOf(config))
      throw refuse('conflict', 'DNS_ZONE is not set, so domains do not refer to a zone of yours.')
    },

    async changeKey(domain) {
      const settings = domainSettingsOf(config)
      const slot = agreed(await changeKeyOf({ db, clock, vault: await vault(), settings }, domain))
      return { domain, new_key: `s${slot}` }
    },

    volumes: volumeCommands(parts),
    backups,
    demo: demoCommands(parts),

    startSending: () => backups.start(),

    rotateSecret: () => rotateSecret(parts),
    finishSecret: () => finishSecret(parts),

    async listDead() {
      const dead = await listDead(db)
      return dead.map(({ oldest, ...row }) => ({ ...row, parked_since: oldest }))
    },

    async releaseDead(kind) {
      const released = await releaseDead(db, kind, clock.now())
      if (released > 0) return { kind, released }
      throw refuse('not_found', `No job of the kind "${kind}" is dead: crier jobs list.`)
    },
  }
}

function agreed<T>(value: T | Refusal): T {
  if (isRefusal(value)) throw value
  return value
}

function oneOf<T extends string>(values: readonly T[], text: string, name: string): T {
  const found = values.find((value) => value === text)
  if (found) return found
  throw refuse('invalid_request', `${name} takes one of ${values.join(', ')}, not "${text}".`)
}

function idOf<N extends Noun>(noun: N, text: string): Id<N> {
  const id = parseId(noun, text)
  if (id) return id
  throw refuse('invalid_request', `"${text}" is not the id of a ${noun}.`)
}
