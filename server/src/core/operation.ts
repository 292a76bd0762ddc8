/**
 * The one definition of an operation. Tool, route, OpenAPI entry, CLI command,
 * SDK method and reference page are derived from it.
 */

import type { Pace } from '../lib/concurrency/pace.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { type Static, type TObject, type TProperties, Type } from '../lib/schema/schema.ts'
import type { Refusal } from './errors.ts'
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

/** Each role may do all that those before it may. */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** Each tier includes those before it. */
export const tiers = ['free', 'growth', 'scale'] as const
export type Tier = (typeof tiers)[number]

/** A business as one connection reaches it: the grant intersected with membership now. */
export interface Reach {
  id: Id<'business'>
  name: string
  tier: Tier
  role: Role
}

/** Who calls. Read afresh for every call, so that a revocation acts at once. */
export interface Principal {
  /** Null for a person who is signed in to the app. */
  connectionId: Id<'connection'> | null
  userId: Id<'user'>
  scopes: ReadonlySet<Scope>
  businesses: readonly Reach[]
}

/** Whether somebody signed in to the app calls, who may approve what an app asks for. */
export function isApprover(
  { connectionId }: Pick<Principal, 'connectionId'>,
  { role }: Pick<Reach, 'role'>,
): boolean {
  return connectionId === null && roles.indexOf(role) >= roles.indexOf('admin')
}

export interface Hints {
  readOnly: boolean
  destructive: boolean
  idempotent: boolean
  openWorld: boolean
}

/** A block of a tool's answer (MCP, "Tool Result"): text, image, audio, resource. */
export interface ContentBlock {
  type: string
  [more: string]: unknown
}

/** Recognises a text without keeping it: `Vault.hmac`, under the installation's secret. */
export type Hmac = (purpose: string, text: string) => Buffer

export interface Context {
  db: Db
  now: Date
  principal: Principal
  requestId: string
  hmac: Hmac
}

/** Which call, of which connection and person: the provenance of what a call writes. */
export interface Origin {
  /** Null for a call that a person made in the app. */
  connectionId: Id<'connection'> | null
  userId?: Id<'user'>
  /** The request's id as its answer shows it, `req_…`. */
  callId: string
}

/** A write that many calls make at once: gathered, they are one transaction. */
export interface SetWrite<Item, Outcome> {
  name: string
  /**
   * Writes all items, with their events and their usage, in the flush's transaction and
   * gives an outcome for each in order. A refused item must have left nothing; an error
   * fails the flush, whose items are then tried one by one.
   *
   * With `presuming` it need not wait to hear that rows could be written which nearly always
   * can: it has the transaction fail where they could not (`optimistic.ts`), and is then
   * called once more, without.
   */
  save(tx: Tx, items: Item[], now: Date, presuming?: boolean): Promise<(Outcome | Refusal)[]>
  /** What the item is about. Items come sorted by it, so that flushes never deadlock. */
  keyOf(item: Item): string
  /** Bytes of an item, where they may be many: a large one is written by itself. */
  bytesOf?(item: Item): number
}

export interface Writing {
  /**
   * The only way to open a transaction. Claims the call's idempotency key, runs `work`,
   * stores its answer, commits; a refusal rolls back and frees the key. `work` may run
   * again after a serialisation failure. The answer must survive JSON.
   */
  write<T>(work: (tx: Tx) => Promise<T | Refusal>): Promise<T | Refusal>
  /** Writes the item together with those of the calls beside it; its outcome is its own. */
  batch<Item, Outcome>(set: SetWrite<Item, Outcome>, item: Item): Promise<Outcome | Refusal>
  /** For a write of many rows, made in steps: it rests while other calls write, too. */
  newPace(): Pace
  origin: Origin
}

export interface BusinessContext extends Context, Writing {
  business: Reach
}

/** The one of these businesses that has what the id names; undefined where none has. */
export type Locate = (
  db: Db,
  businesses: readonly Id<'business'>[],
  id: string,
) => Promise<Id<'business'> | undefined>

interface Common<I extends TProperties, O extends TObject> {
  /** `area.action`; as a tool `{slug}.v1.area.action`. */
  name: string
  /** Other names the contract gives it, such as `list_campaigns`. */
  aliases?: readonly string[]
  title: string
  /** Another operation does it too: callable under its name, and not among the tools listed. */
  unlisted?: true
  /** For a model that chooses a tool: when to use it, what it costs, what it never does. */
  summary: string
  scope: Scope
  role: Role
  tier: Tier
  hints: Hints
  /**
   * `['app']`: for people signed in to the app, and never for a connection, whatever its
   * scopes. It is no tool, and its REST route takes no token. Such operations are listed in
   * `appCatalogOf`, those without it in `catalogOf`.
   */
  appOnly?: true
  /** `GET /v1/forms/:form_id`: the REST route, or several. Parameters are named as fields of the input. */
  rest: string | readonly string[]
  /** Bytes of a body at its REST route, where it needs more than `limits.callBytes`. */
  bodyBytes?: number
  /** What its POST route answers once it is done, where that is not 200. */
  status?: 201 | 202
  input: I
  output: O
  /** How a tool's answer is shown beside its structured form; the default is its JSON as text. */
  content?: (output: Static<O>) => ContentBlock[]
  /** What a client must be able to do (MCP 2026-07-28, `clientCapabilities`), such as `sampling`. */
  clientCapabilities?: readonly string[]
}

/** What `run` is given: the operation's own input and the business, if one was named. */
type Given<I extends TProperties> = Static<TObject<I>> & {
  business_id?: string
  idempotency_key?: string
}

export interface ConnectionOperation<I extends TProperties, O extends TObject>
  extends Common<I, O> {
  reach: 'connection'
  /** What is written belongs to a business. */
  hints: Hints & { readOnly: true }
  run(context: Context, input: Given<I>): Promise<Static<O> | Refusal>
}

export interface BusinessOperation<I extends TProperties, O extends TObject> extends Common<I, O> {
  reach: 'business'
  /**
   * By fields of the input that hold an id: where the call names no business and several
   * can be reached, the one that has what the id names is meant.
   */
  locate?: Readonly<Record<string, Locate>>
  run(context: BusinessContext, input: Given<I>): Promise<Static<O> | Refusal>
}

/** An operation as the catalogue holds it: its types forgotten, its schema complete. */
export interface Operation extends Omit<Common<TProperties, TObject>, 'input' | 'content'> {
  reach: 'connection' | 'business'
  locate?: Readonly<Record<string, Locate>>
  input: TObject
  content?: (output: never) => ContentBlock[]
  run(context: BusinessContext, input: Record<string, unknown>): Promise<unknown>
}

const businessId = Type.Optional(
  Type.String({
    description: 'bus_…; optional where one is reached.',
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
  definition: ConnectionOperation<I, O> | BusinessOperation<I, O>,
): Operation {
  const { input, hints } = definition
  const added = {
    business_id: businessId,
    ...(!hints.readOnly && { idempotency_key: idempotencyKey }),
  }
  return {
    ...definition,
    input: Type.Object({ ...added, ...input }, { additionalProperties: false }),
    run: definition.run as unknown as Operation['run'],
  }
}
