/** The operator's commands. They take ids as people write them, and throw refusals. */

import { renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createBusiness } from '../accounts/businesses/create.ts'
import { addMember } from '../accounts/businesses/memberships.ts'
import { allBusinesses } from '../accounts/businesses/overview.ts'
import { factorsFromOperator } from '../accounts/factors/operator-reset.ts'
import { setAndCount } from '../accounts/settings/settings.ts'
import { setupLifetime } from '../accounts/sign-in/magic-link.ts'
import { allUsers, linkFromOperator } from '../accounts/sign-in/operator-link.ts'
import { setupLink } from '../accounts/sign-in/setup.ts'
import { ensureUser } from '../accounts/sign-in/sign-up.ts'
import { secretOf } from '../config/installation-secret.ts'
import { pastVolume } from '../config/past-volume.ts'
import type { Config } from '../config.ts'
import { orThrow, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, type Noun, parseId } from '../core/ids.ts'
import { addSecret, keepSecret, openVault } from '../core/installation/root-key.ts'
import { roles, tiers } from '../core/operation.ts'
import { randomToken } from '../lib/crypto/vault.ts'
import { sql } from '../lib/db/db.ts'
import type { Database } from '../lib/db/types.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import { listDead, releaseDead } from '../lib/jobs/health.ts'
import type { OwnServer } from '../lib/postgres/open.ts'
import { createLog } from '../lib/process/log.ts'
import { type Clock, later } from '../lib/time/clock.ts'
import { headStartOf } from '../messages/throttle/throttle.ts'
import { disableClients, enableClients, removeClients } from '../oauth/clients/operate.ts'
import { allowRedirect, hostedDefaults } from '../oauth/clients/redirects.ts'
import { revokeConnection } from '../oauth/connections/connections.ts'
import { addedRedirects, allClients, allConnections } from '../oauth/connections/overview.ts'
import { changeKeyOf } from '../sender-domains/keys/change-key.ts'
import { domainSettingsOf } from '../sender-domains/model/settings.ts'
import { operatorZone } from '../sender-domains/records/operator-zone.ts'
import type { VolumeOfDomain } from '../sender-domains/volume/volume.ts'
import { approvedOf, waitingOf, waitingVolumes } from '../sender-domains/volume/waiting.ts'
import { type BackupCommands, backupCommands } from './backups.ts'
import { type DistributeCommands, distributeCommands } from './distribute.ts'

/** A row of output. */
export type Row = Record<string, unknown>

interface OperatorParts {
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
  /** Closes businesses, takes them back, and lists what became of those that were closed. */
  closings: ClosingCommands
  /** Stops all sending of one business, and resumes it. */
  stops: StopCommands
  /** Moves businesses between installations. */
  moves: MoveCommands
  setBusiness(id: string, key: string, value: string): Promise<Row>
  addUser(wanted: { email: string; business: string; role: string }): Promise<Row>
  listUsers(): Promise<Row[]>
  /** A link by which a user signs in without a mail. It works for ten minutes. */
  signInLink(email: string): Promise<Row>
  /** The second factors of a user; with `reset` they are removed, with `accept` a new one counts. */
  factorsOf(email: string, change: { reset: boolean; accept: boolean }): Promise<Row>
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
  /** Onto the nodes of Citus. */
  distribution: DistributeCommands
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
    const hint = names.length > 0 ? `it has ${names.join(', ')}` : 'RELAYS is not set'
    const text = `${key} must be the name of a relay in the file RELAYS (${hint}), or default.`
    return refuse('invalid_request', text, { field: key })
  }
  return {
    async createBusiness({ name, owner, tier: wanted = config.defaultTier, deployLimit: limit }) {
      const tier = oneOf(tiers, wanted, 'tier')
      const email = orThrow(normaliseEmail(owner))
      const now = clock.now()
      const made = await db.tx(async (tx) => {
        const { user } = await ensureUser(tx, email, now)
        const deployLimit = config.defaultDeployLimit
        const made = await createBusiness(tx, { name, ownerId: user.id, tier, deployLimit, now })
        const setting = { key: 'deploy_limit', value: limit ?? '', now }
        if (limit !== undefined) await setAndCount(tx, made, setting)
        return made
      })
      return { business_id: formatId('business', made), name, tier, owner: email }
    },

    async listBusinesses() {
      const businesses = await allBusinesses(db)
      return businesses.map(({ id, name, tier, members, createdAt, closedAt }) => ({
        business_id: formatId('business', id),
        name,
        tier,
        members,
        created_at: createdAt,
        ...(closedAt && { closed_at: closedAt }),
      }))
    },

    closings: closingCommands(parts),
    stops: stopCommands(parts),
    moves: moveCommands(parts),

    async setBusiness(id, key, value) {
      const businessId = idOf('business', id)
      orThrow(checkRelay(key, value))
      await setAndCount(db, businessId, { key, value, now: clock.now() })
      return { business_id: id, [key]: value }
    },

    async addUser({ email: written, business, role: wanted }) {
      const email = orThrow(normaliseEmail(written))
      const role = oneOf(roles, wanted, 'role')
      const businessId = idOf('business', business)
      const now = clock.now()
      const added = await db.tx(async (tx) => {
        const { user } = await ensureUser(tx, email, now)
        return addMember(tx, businessId, { userId: user.id, role, now })
      })
      return { email, business_id: business, role: added }
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
      const { email: address, url, expiresAt } = made
      return { email: address, url, expires_at: expiresAt }
    },

    async factorsOf(email, change) {
      return { ...(await factorsFromOperator(db, { email, ...change, now: clock.now() })) }
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
      throw refuse('not_found', `${id} is not an active connection. See crier connections list.`)
    },

    async allowRedirect(uri) {
      orThrow(await allowRedirect(db, uri, clock.now()))
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
      const { ended, ...change } = await disableClients(db, target, clock.now())
      return { ...change, disabled: true, connections_ended: ended }
    },

    async enableClients(target) {
      const { ended: _, ...change } = await enableClients(db, target)
      return { ...change, disabled: false }
    },

    async removeClients(target) {
      const how = { configured: config.allowedRedirects, now: clock.now() }
      const { ended, ...change } = await removeClients(db, target, how)
      return { ...change, removed: true, connections_ended: ended }
    },

    printZone() {
      const { dnsZone } = config
      if (dnsZone !== undefined) return operatorZone(db, dnsZone, domainSettingsOf(config))
      throw refuse('conflict', 'DNS_ZONE is not set, so domains do not refer to a zone of yours.')
    },

    async changeKey(domain) {
      const settings = domainSettingsOf(config)
      const slot = await changeKeyOf({ db, clock, vault: await vault(), settings }, domain)
      return { domain, new_key: `s${slot}` }
    },

    volumes: volumeCommands(parts),
    distribution: distributeCommands({ db, clock, connections: config.databasePool }),
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
      throw refuse(
        'not_found',
        `There are no failed jobs of the kind "${kind}". See crier jobs list.`,
      )
    },
  }
}

function oneOf<T extends string>(values: readonly T[], text: string, name: string): T {
  const found = values.find((value) => value === text)
  if (found) return found
  throw refuse('invalid_request', `${name} must be one of ${values.join(', ')}, not "${text}".`)
}

function idOf<N extends Noun>(noun: N, text: string): Id<N> {
  const id = parseId(noun, text)
  if (id) return id
  throw refuse('invalid_request', `"${text}" is not the id of a ${noun}.`)
}

interface Parts {
  db: Database
  config: Config
  clock: Clock
}

/**
 * Rotates CRIER_SECRET while the service runs. Encrypted and hashed data stays unchanged. A file
 * can be replaced here. The operator has to change an environment variable on each node.
 */
async function rotateSecret({ db, config, clock }: Parts): Promise<Record<string, unknown>> {
  const next = randomToken()
  await addSecret(db, { secret: secretOf(config), next }, clock.now())
  if (config.secret !== undefined) {
    return {
      new_secret: next,
      next: 'Set CRIER_SECRET to it on every node and restart them one by one; both work until then. Afterwards: crier secret finish',
    }
  }
  const file = path.join(config.dataDir, 'secret')
  const draft = `${file}.${process.pid}.${randomToken()}`
  // The new file is written, synced and then renamed, so the old secret is valid until then.
  writeFileSync(draft, `${next}\n`, { flag: 'wx', mode: 0o600, flush: true })
  renameSync(draft, file)
  await keepSecret(db, next, clock.now())
  return { rotated: file, next: 'Keep a new copy of it; the old one opens nothing any more.' }
}

async function finishSecret({ db, config, clock }: Parts): Promise<Record<string, unknown>> {
  return { ended: await keepSecret(db, secretOf(config), clock.now()) }
}

interface DemoDeps {
  db: Database
  config: Config
  clock: Clock
}

interface DemoCommands {
  /** Creates the data if there is none. `made` is false if it existed already. */
  make(): Promise<{ made: boolean; email: string; url: string }>
  /** Returns the number of removed rows. */
  wipe(): Promise<number>
}

/** The commands that create and remove demo data. No other command loads their modules. */
function demoCommands({ db, config, clock }: DemoDeps): DemoCommands {
  return {
    async make() {
      const { makeDemo, demoOwner, refuseRealTransport } = await import('../demo/make.ts')
      const { findDemo } = await import('../core/installation/demo.ts')
      const refused = refuseRealTransport(config)
      if (refused) throw refused
      const vault = await openVault(db, secretOf(config), clock.now())
      const isThere = (await findDemo(db)) !== undefined
      const failed = isThere
        ? undefined
        : await makeDemo({ db, config, clock, vault, log: createLog('silent') })
      if (failed) throw failed
      const deps = { db, vault, urls: config }
      const link = await linkFromOperator(deps, { email: demoOwner, now: clock.now() })
      return { made: !isThere, email: link.email, url: link.url }
    },

    async wipe() {
      const { wipeDemo } = await import('../demo/wipe.ts')
      const { openFiles } = await import('../files/open.ts')
      const removed = orThrow(await wipeDemo(db, openFiles(config)))
      return removed
    },
  }
}

interface ClosingCommands {
  close(id: string, wanted: { keepSuppressions?: boolean | undefined }): Promise<Row>
  takeBack(id: string): Promise<Row>
  list(): Promise<Row[]>
}

interface StopCommands {
  hold(id: string, wanted: { withMessages?: boolean | undefined }): Promise<Row>
  start(id: string): Promise<Row>
}

interface Moving {
  passphrase: string | undefined
  onProgress?: (progress: { table: string; rows: number }) => void
}

interface MoveCommands {
  /** Writes everything of a business into a sealed file. */
  export(id: string, file: string, moving: Moving): Promise<Row>
  /** Takes a business over from such a file. It arrives closed. */
  import(file: string, moving: Moving & { owner: string }): Promise<Row>
}

/** `crier businesses export` and `import`. No other command loads their modules. */
function moveCommands({ db, config, clock }: Parts): MoveCommands {
  const depsOf = async ({ passphrase = config.movePassphrase, onProgress }: Moving) => {
    if (!passphrase) {
      const text = 'The file has the keys of the business: set MOVE_PASSPHRASE, which seals it.'
      throw refuse('invalid_request', text, { field: 'passphrase' })
    }
    const { openFiles } = await import('../files/open.ts')
    const vault = await openVault(db, secretOf(config), clock.now())
    const progress = onProgress && { onProgress }
    return { db, vault, files: openFiles(config), now: clock.now(), passphrase, ...progress }
  }
  return {
    async export(id, file, moving) {
      const { exportBusiness } = await import('../moves/export.ts')
      const { tables, ...moved } = await exportBusiness(
        await depsOf(moving),
        idOf('business', id),
        file,
      )
      return { ...moved, tables: Object.keys(tables).length, file }
    },

    async import(file, { owner: written, ...moving }) {
      const { importBusiness } = await import('../moves/import.ts')
      const owner = orThrow(normaliseEmail(written))
      const { tables, ...moved } = await importBusiness({ ...(await depsOf(moving)), owner }, file)
      return {
        ...moved,
        tables: Object.keys(tables).length,
        owner,
        next: `It is closed. Restart every node, and then: crier businesses reopen ${moved.business_id}`,
      }
    },
  }
}

/** `crier sending hold` and `start` with `--business`. No other command loads their modules. */
function stopCommands({ db, clock }: Parts): StopCommands {
  const businessOf = async (id: string) => {
    const businessId = idOf('business', id)
    const exists = await db.maybe(sql`select from businesses where id = ${businessId}`)
    if (!exists) throw refuse('not_found', `There is no business ${id}: crier businesses list.`)
    return businessId
  }
  return {
    async hold(id, { withMessages = false }) {
      const { stopSending } = await import('../assistants/sending.ts')
      const businessId = await businessOf(id)
      const stop = { businessId, withMessages, stoppedBy: null, now: clock.now() }
      const done = await db.tx((tx) => stopSending(tx, stop))
      const next = `crier sending start --business ${id}`
      return { business_id: id, sending: 'stopped', with_messages: withMessages, ...done, next }
    },

    async start(id) {
      const { resumeSending } = await import('../assistants/sending.ts')
      const businessId = await businessOf(id)
      const done = await db.tx((tx) => resumeSending(tx, { businessId, now: clock.now() }))
      return { business_id: id, sending: 'resumed', ...done }
    },
  }
}

/** `crier businesses close`, `reopen` and `closed`. No other command loads their modules. */
function closingCommands({ db, clock }: Parts): ClosingCommands {
  return {
    async close(id, { keepSuppressions = false }) {
      const { closeBusiness } = await import('../closings/close.ts')
      const businessId = idOf('business', id)
      const request = { businessId, closedBy: null, keepsSuppressions: keepSuppressions }
      const { closing, ...paused } = await db.tx((tx) =>
        closeBusiness(tx, { ...request, now: clock.now() }),
      )
      return { business_id: id, name: closing.name, delete_at: closing.deleteAt, ...paused }
    },

    async takeBack(id) {
      const { takeBack } = await import('../closings/take-back.ts')
      const businessId = idOf('business', id)
      const { name } = await db.tx((tx) =>
        takeBack(tx, { businessId, userId: null, now: clock.now() }),
      )
      return { business_id: id, name, sending: 'stopped until a person resumes it' }
    },

    async list() {
      const { listClosings } = await import('../accounts/businesses/closing.ts')
      return (await listClosings(db)).map((closing) => ({
        business_id: formatId('business', closing.id),
        name: closing.name,
        closed_at: closing.closedAt,
        delete_at: closing.deleteAt,
        keeps_suppressions: closing.keepsSuppressions,
        deletion_began_at: closing.deletionBeganAt,
        deleted_at: closing.deletedAt,
        removed_at: closing.removedAt,
        deleted: closing.deleted,
      }))
    },
  }
}

type VolumeRow = Record<string, unknown>

interface VolumeCommands {
  /** The statements that wait, the oldest first. */
  list(): Promise<VolumeRow[]>
  /** The warm-up of the domain begins at the day that matches the number; the stated one by default. */
  approve(domain: string, wanted?: { perDay?: string | undefined }): Promise<VolumeRow>
  refuse(domain: string, wanted?: { answer?: string | undefined }): Promise<VolumeRow>
  /** Takes an approval back. */
  withdraw(domain: string, wanted?: { answer?: string | undefined }): Promise<VolumeRow>
}

interface VolumeParts {
  db: Database
  config: Config
  clock: Clock
}

/** `crier domains volume`: what owners say they sent before, and the operator's answer. */
function volumeCommands({ db, config, clock }: VolumeParts): VolumeCommands {
  const decide = async (
    waiting: VolumeOfDomain,
    { approved, answer }: { approved: number | null; answer: string | null },
  ): Promise<void> => {
    const now = clock.now()
    // Loaded here, because most of the operator's commands need no relays.
    const { relaysIn } = await import('../config/relays.ts')
    const { routeOf } = await import('./check-reports.ts')
    const { decideStatement } = await import('../status/operating/decide-volume.ts')
    const routes = relaysIn(config).map(routeOf)
    await db.tx((tx) => decideStatement(tx, waiting, { approved, answer, routes, now }))
  }
  return {
    async list() {
      const waiting = await waitingVolumes(db)
      return waiting.map(({ domain, businessId, emailsPerDay, note, statedAt }) => ({
        domain,
        business_id: formatId('business', businessId),
        emails_per_day: emailsPerDay,
        note,
        stated_at: statedAt,
      }))
    },

    async approve(domain, { perDay } = {}) {
      const waiting = await waitingOf(db, domain)
      const approved = perDay === undefined ? waiting.emailsPerDay : amountOf(perDay)
      await decide(waiting, { approved, answer: null })
      const beginsAt = headStartOf(approved) + 1
      return { domain: waiting.domain, approved_per_day: approved, begins_at_day: beginsAt }
    },

    async refuse(domain, { answer = null } = {}) {
      const waiting = await waitingOf(db, domain)
      refuseLength(answer)
      await decide(waiting, { approved: null, answer })
      return { domain: waiting.domain, refused: true, answer }
    },

    async withdraw(domain, { answer = null } = {}) {
      refuseLength(answer)
      const approved = await approvedOf(db, domain)
      const { withdrawDecision } = await import('../status/operating/decide-volume.ts')
      await db.tx((tx) => withdrawDecision(tx, approved, { answer, now: clock.now() }))
      return { domain: approved.domain, withdrawn: true, answer }
    },
  }
}

function refuseLength(answer: string | null): void {
  if (answer === null || (answer !== '' && answer.length <= pastVolume.noteLength)) return
  const text = `The answer must have 1 to ${pastVolume.noteLength} characters.`
  throw refuse('invalid_request', text, { field: 'answer' })
}

function amountOf(text: string): number {
  const amount = Number(text)
  const { least: minimum, most: maximum } = pastVolume
  if (Number.isInteger(amount) && amount >= minimum && amount <= maximum) return amount
  const words = `--per-day must be a whole number from ${minimum} to ${maximum}, not "${text}".`
  throw refuse('invalid_request', words, { field: 'per_day' })
}
