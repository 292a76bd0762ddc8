/**
 * The one definition of an operation. The tool, REST route, OpenAPI entry, CLI command, SDK method
 * and reference page are all derived from it.
 */

import type { Pace } from '../lib/concurrency/pace.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { type Static, type TObject, type TProperties, Type } from '../lib/schema/schema.ts'
import type { Refusal } from './errors.ts'
import type { FactorAct } from './factor-act.ts'
import type { Id } from './ids.ts'

export const scopes = [
  'meta:read',
  'forms:read',
  'forms:write',
  'audience:read',
  'audience:write',
  'messaging:send',
  'provisioning:write',
] as const
export type Scope = (typeof scopes)[number]

/** Each role includes the rights of those before it, except what `alsoFor` gives to one alone. */
export const roles = ['viewer', 'approver', 'editor', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** Whether the role allows the operation. */
export function allows(role: Role, { role: least, alsoFor }: Pick<Operation, 'role' | 'alsoFor'>) {
  return roles.indexOf(role) >= roles.indexOf(least) || role === alsoFor
}

/** Each tier includes the features of those before it. */
export const tiers = ['free', 'growth', 'scale'] as const
export type Tier = (typeof tiers)[number]

/** The groups of tools, of which a connection can ask for some: `…/mcp?areas=contacts,forms`. */
export const areas = [
  'business',
  'contacts',
  'forms',
  'templates',
  'messages',
  'campaigns',
  'domains',
  'webhooks',
] as const
export type Area = (typeof areas)[number]

/**
 * A business as one connection can use it: what the grant allows, limited to the person's
 * membership as it is now.
 */
export interface Reach {
  id: Id<'business'>
  name: string
  tier: Tier
  role: Role
  /** Set where a person has stopped the connection: its calls are refused. */
  isStopped?: true
  /** Set where the company's sign-in has refused the person: calls of theirs, their apps and keys are refused. */
  isHeld?: true
  /** What the business, or the operator, asks of people in the app. */
  factorRule?: FactorRule
}

export interface FactorRule {
  /** From when every member needs a second factor; null if none is required. */
  requiredFrom: Date | null
  /** Whether some acts ask for it again (`core/fresh-factor.ts`). */
  asksFresh: boolean
}

/** The caller. It is read again for every call, so that a revocation takes effect at once. */
export interface Principal {
  /** Null for a person who is signed in to the app. */
  connectionId: Id<'connection'> | null
  userId: Id<'user'>
  scopes: ReadonlySet<Scope>
  businesses: readonly Reach[]
  /** When a person who is signed in to the app signed in, and with which of their sessions. */
  signedInAt?: Date
  sessionId?: Id<'session'>
  /** When they last used a passkey or gave a code in that session, and which it was. */
  provenAt?: Date
  provenBy?: 'passkey' | 'code' | 'recovery_code'
  provenWith?: Id<'passkey'>
  /** Until when their factor is too new to count (`accounts/factors/waiting.ts`). */
  factorWaitsUntil?: Date
  /** Set if the request of a person in the app came from a browser on the service's own machine. */
  isFromThisMachine?: true
  /** Set if the caller is an API key. */
  isApiKey?: true
  /** Set for a test key, whose businesses are twins. */
  isTest?: true
  /** How many recipients the connection may send to in 24 hours, if it has a limit of its own. */
  recipientsPerDay?: number
  /** To how many it may send transactional messages in 24 hours, if that is limited. */
  transactionalPerDay?: number
  /** Set if addresses and numbers of people are masked for it at the tool endpoint. */
  seesMasked?: true
  /** Set for a connection that may not take data out: export it, or send it to a new host. */
  keepsDataIn?: true
}

/**
 * Whether the caller is a person signed in to the app who may approve what an assistant requests.
 */
export function isApprover(
  { connectionId }: Pick<Principal, 'connectionId'>,
  { role }: Pick<Reach, 'role'>,
): boolean {
  return connectionId === null && roles.indexOf(role) >= roles.indexOf('admin')
}

/** Whether the caller is an app that a person connected by OAuth: neither an API key nor the app. */
export function isConnection({
  connectionId,
  isApiKey,
}: Pick<Principal, 'connectionId' | 'isApiKey'>): boolean {
  return connectionId !== null && !isApiKey
}

export interface Hints {
  readOnly: boolean
  destructive: boolean
  idempotent: boolean
  openWorld: boolean
}

/** A block of a tool's answer (MCP, "Tool Result"): text, image, audio or resource. */
export interface ContentBlock {
  type: string
  [more: string]: unknown
}

/**
 * Computes a keyed hash (`Vault.hmac`, with the installation's secret), by which a text can be
 * recognised without being stored.
 */
export type Hmac = (purpose: string, text: string) => Buffer

export interface Context {
  db: Db
  now: Date
  principal: Principal
  requestId: string
  /** Whether it came to the tool endpoint, where a model calls. */
  isToolCall: boolean
  /** The public address of the web app, without a trailing slash. */
  appUrl: string
  hmac: Hmac
}

/**
 * The provenance of what a call writes: which call it was, and whose connection and person made
 * it.
 */
export interface Origin {
  /** Null for a call that a person made in the app. */
  connectionId: Id<'connection'> | null
  userId?: Id<'user'>
  /** The request's id as the answer shows it, `req_…`. */
  callId: string
}

/** A kind of write that many calls make at once, and that is grouped into one transaction. */
export interface SetWrite<Item, Outcome> {
  name: string
  /**
   * Writes all items, with their events and their usage, in the flush's transaction, and
   * returns an outcome for each in order. A refused item must not write anything; an error
   * fails the flush, whose items are then tried one by one.
   *
   * With `optimistic` it need not wait for the result of writes that nearly always succeed: if one
   * does not, it makes the transaction fail (`core/writes/unit-of-work.ts`), and is called once
   * more without `optimistic`.
   */
  save(tx: Tx, items: Item[], now: Date, optimistic?: boolean): Promise<(Outcome | Refusal)[]>
  /** The subject of the item. Items are sorted by it, so that flushes never deadlock. */
  keyOf(item: Item): string
  /** On a distributed database a flush has the items of one business. */
  businessOf(item: Item): Id<'business'>
  /**
   * The size of an item in bytes, for items that can be large: a large one is written by itself.
   */
  bytesOf?(item: Item): number
}

export interface Writing {
  /**
   * The only way to open a transaction. Claims the call's idempotency key, runs `work`,
   * stores its answer, commits; a refusal rolls back, frees the key and is thrown on. `work` may
   * run again after a serialisation failure. The answer must survive JSON.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Writes the item in one transaction with the items of simultaneous calls. The returned outcome
   * is the item's own, and so is a refusal that it throws.
   */
  batch<Item, Outcome>(set: SetWrite<Item, Outcome>, item: Item): Promise<Outcome>
  /**
   * Returns a pace for a write of many rows that is done in steps: between steps it pauses while
   * other calls need to write.
   */
  newPace(): Pace
  origin: Origin
}

/** For what people do to their own sign-ins and connections, which belong to no business. */
export interface PersonContext extends Context, Pick<Writing, 'write' | 'origin'> {}

export interface BusinessContext extends Context, Writing {
  business: Reach
  /** Whether the call has an idempotency key, by which its repetition is recognised. */
  hasKey: boolean
  /** The file that was sent in place of a JSON body, if the operation accepts one. */
  file?: AsyncIterable<Uint8Array>
}

/** Finds which of these businesses owns the thing that the id names; undefined if none does. */
export type Locate = (
  db: Db,
  businesses: readonly Id<'business'>[],
  id: string,
) => Promise<Id<'business'> | undefined>

/** The fields that all definitions of operations have, whether or not they act in a business. */
interface DefinitionBase<I extends TProperties, O extends TObject> {
  /** `area.action`; as a tool it is called `{slug}.v1.area.action`. */
  name: string
  /** Other names that the contract gives the operation, such as `list_campaigns`. */
  aliases?: readonly string[]
  title: string
  /** The group of tools that it is in. Every tool has one. */
  area?: Area
  /** Whether it is in the list of tools that a connection gets unless it asks for another. */
  everyday?: true
  /**
   * Set if another operation does the same: this one can be called by name but is in no list of
   * tools.
   */
  unlisted?: true
  /** Written for a model that chooses a tool: when to use it, what it costs, what it never does. */
  summary: string
  scope: Scope
  role: Role
  /** A role that may do it though it is lower than `role`. */
  alsoFor?: Role
  tier: Tier
  hints: Hints
  /**
   * Set if only people who are signed in to the app may call it, and never a connection, whatever
   * its scopes. It is not a tool, and its REST route accepts no token. Such operations are listed
   * in `appCatalogOf`, all others in `catalogOf`.
   */
  appOnly?: true
  /**
   * Set if a person in the app may do it only within minutes of signing in. It begins the sentence
   * that says so, such as "A member is removed". Connections are not asked.
   */
  freshSignIn?: string
  /**
   * Set if a person in the app needs a fresh second factor for it, where the business asks for one.
   * Connections are not asked.
   */
  freshFactor?: FactorAct
  /**
   * The REST route, such as `GET /v1/forms/:form_id`, or several. Parameters are named as fields
   * of the input.
   */
  rest: string | readonly string[]
  /** Set if the route without the id in its path takes it as a field. */
  idInBody?: true
  /**
   * The largest body in bytes that its REST route accepts, where it needs more than
   * `limits.callBytes`.
   */
  bodyBytes?: number
  /**
   * Media types of a file that its POST route accepts in place of JSON. The fields are in the query
   * then, and `run` reads the file from its context while it arrives.
   */
  file?: readonly string[]
  /** The status that its POST route answers on success, if that is not 200. */
  status?: 201 | 202
  input: I
  /**
   * Fields of the input that few callers need. The list of tools leaves them out, and `meta.find`,
   * the reference and OpenAPI have them.
   */
  seldom?: readonly string[]
  /**
   * What a list of the input holds, where the operation checks each of its entries alone. The input
   * itself has any objects there; the reference, OpenAPI and the SDK have these.
   */
  entries?: Readonly<Record<string, TObject>>
  output: O
  /**
   * Builds the content blocks shown beside the structured answer; the default is the answer's JSON
   * as text.
   */
  content?: (output: Static<O>) => ContentBlock[]
  /** What a client must support (MCP 2026-07-28, `clientCapabilities`), such as `sampling`. */
  clientCapabilities?: readonly string[]
}

/** The input of `run`: the operation's own fields, and the business if the call named one. */
type RunInput<I extends TProperties> = Static<TObject<I>> & {
  business_id?: string
  idempotency_key?: string
}

export interface ConnectionOperation<I extends TProperties, O extends TObject>
  extends DefinitionBase<I, O> {
  reach: 'connection'
  /** The writes of connections belong to a business, so an operation outside of one is read-only. */
  hints: Hints & { readOnly: true }
  run(context: Context, input: RunInput<I>): Promise<Static<O>>
}

/** Acts on what belongs to the person who is signed in to the app, whatever their businesses. */
export interface PersonOperation<I extends TProperties, O extends TObject>
  extends DefinitionBase<I, O> {
  reach: 'person'
  appOnly: true
  run(context: PersonContext, input: Static<TObject<I>>): Promise<Static<O>>
}

export interface BusinessOperation<I extends TProperties, O extends TObject>
  extends DefinitionBase<I, O> {
  reach: 'business'
  /**
   * Finders by the name of an input field that contains an id. If the call names no business and
   * the connection reaches several, the business that owns what the id names is used.
   */
  locate?: Readonly<Record<string, Locate>>
  run(context: BusinessContext, input: RunInput<I>): Promise<Static<O>>
}

/**
 * An operation as the catalogue holds it: without its type parameters, with its complete schema.
 */
export interface Operation extends Omit<DefinitionBase<TProperties, TObject>, 'input' | 'content'> {
  reach: 'connection' | 'person' | 'business'
  locate?: Readonly<Record<string, Locate>>
  input: TObject
  content?: (output: never) => ContentBlock[]
  run(context: BusinessContext, input: Record<string, unknown>): Promise<unknown>
}

const businessId = Type.Optional(
  Type.String({
    description: 'bus_…, if several are reached.',
    pattern: '^bus_[0-9a-hjkmnp-tv-z]{26}$',
  }),
)

const idempotencyKey = Type.Optional(
  Type.String({
    description: 'Reused within 24 h: the first answer.',
    maxLength: 200,
    pattern: '^[ -~]+$',
  }),
)

export function operation<I extends TProperties, O extends TObject>(
  definition: ConnectionOperation<I, O> | PersonOperation<I, O> | BusinessOperation<I, O>,
): Operation {
  const { input, hints, reach } = definition
  const added = reach !== 'person' && {
    business_id: businessId,
    ...(!hints.readOnly && { idempotency_key: idempotencyKey }),
  }
  return {
    ...definition,
    input: Type.Object({ ...added, ...input }, { additionalProperties: false }),
    run: definition.run as unknown as Operation['run'],
  }
}
