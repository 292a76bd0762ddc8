/**
 * The path of every call, from each entry point: scope, arguments, business, role, tier, run,
 * usage. The entry point has already authenticated the caller and counted the rate. A refusal may be
 * thrown anywhere on the path; only here it becomes a value, which the entry points turn into a body.
 */
import { createRequire } from 'node:module'
import { settingsUrl } from '../accounts/settings/settings-view.ts'
import { type Fix, isRefusal, orRefusal, orThrow, type Refusal, refuse } from '../core/errors.ts'
import { formatFieldPath } from '../core/field-path.ts'
import { checkFreshFactor, checkSecondFactor } from '../core/fresh-factor.ts'
import { checkFreshSignIn } from '../core/fresh-sign-in.ts'
import { formatId, type Id, liveOf, parseId } from '../core/ids.ts'
import {
  allows,
  type BusinessContext,
  type Context,
  type FactorRule,
  type Operation,
  type Origin,
  type Principal,
  type Reach,
  tiers,
} from '../core/operation.ts'
import { schemaCheck, withFurtherFaults } from '../core/schema-check.ts'
import type { Engine } from '../core/writes/unit-of-work.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import type { Database, Db } from '../lib/db/types.ts'
import { followed, isFollowed } from '../lib/observing/observed.ts'
import { isObject } from '../lib/text/i-json.ts'
import type { Clock } from '../lib/time/clock.ts'
import { checkInTestMode, reachInTestMode } from './test-mode.ts'

const require = createRequire(import.meta.url)

export interface Call {
  operation: Operation
  input: Record<string, unknown>
  principal: Principal
  requestId: string
  /** Set if it came to the tool endpoint. */
  isToolCall?: true
  /** Looks at the data of the call's businesses, once the arguments are right, and may refuse. */
  checkStored?: (db: Db, businessId: Id<'business'>) => Promise<void>
  file?: AsyncIterable<Uint8Array> | undefined
}

export interface CallDeps {
  db: Database
  clock: Clock
  engine: Engine
  vault: Pick<Vault, 'hmac'>
  counter: { count(businessId: Id<'business'>): void }
  /** The public address of the web app, for actions that only a person may take. */
  appUrl: string
  toolNamed: FindTool
  /** Whether the operator requires a second factor of everybody in the app. */
  requireSecondFactor?: boolean
  /** Counts calls for the operator. If absent, calls are not counted. */
  measure?: (operation: string, outcome: string, seconds: number) => void
  /** Keeps the calls of connections for the pages of their owners. If absent, none are kept. */
  called?: (
    connectionId: Id<'connection'>,
    call: { operation: string; outcome: string; request_id: string },
  ) => void
}

export function callOperation(deps: CallDeps, call: Call): Promise<unknown> {
  if (!isFollowed()) return measured(deps, call)
  const details = { 'crier.request_id': call.requestId }
  const resultOf = (output: unknown) => (isRefusal(output) ? output.code : 'ok')
  const work = { kind: 'call', name: call.operation.name, details, resultOf } as const
  return followed(work, () => measured(deps, call))
}

async function measured(deps: CallDeps, call: Call): Promise<unknown> {
  if (!deps.measure && !deps.called) return orRefusal(() => runCall(deps, call))
  const began = performance.now()
  // Counts an exception under the code with which the entry points respond.
  let outcome = 'internal'
  try {
    const output = await orRefusal(() => runCall(deps, call))
    outcome = isRefusal(output) ? output.code : 'ok'
    return output
  } finally {
    const { operation, principal, requestId } = call
    deps.measure?.(operation.name, outcome, (performance.now() - began) / 1000)
    if (principal.connectionId !== null) {
      const ended = { operation: operation.name, outcome, request_id: requestId }
      deps.called?.(principal.connectionId, ended)
    }
  }
}

async function runCall(deps: CallDeps, request: Call): Promise<unknown> {
  const call = deps.requireSecondFactor
    ? { ...request, principal: strictly(request.principal) }
    : request
  const { operation, input, principal } = call
  if (operation.appOnly && principal.connectionId !== null) {
    throw refuse(
      'role_required',
      `${operation.name} can only be called by a person signed in to the app, not by a connection, whatever its scopes. Ask the person to do it there.`,
      { fix: { url: deps.appUrl } },
    )
  }
  if (!principal.scopes.has(operation.scope)) {
    throw refuse(
      'scope_required',
      `${operation.name} needs the scope ${operation.scope}, which ${principal.isApiKey ? 'this API key does not have. A person can create another with that scope in the app' : 'this connection does not have. Send the person through authorization again with that scope added'}.`,
      { data: { scope: operation.scope }, fix: { tool: 'meta.capabilities', arguments: {} } },
    )
  }
  if (principal.isTest) checkInTestMode(operation)
  checkInput(operation, input)
  const chosen = await chooseBusiness(deps.db, call)
  if (chosen?.isStopped) throw stoppedByPerson(deps.appUrl, chosen)
  checkHeld(deps.appUrl, call, chosen)
  const business = chosen && principal.isTest ? reachInTestMode(operation, chosen) : chosen
  if (business) checkRights(operation, business)

  const now = deps.clock.now()
  const { freshSignIn, freshFactor } = operation
  if (freshSignIn) checkFreshSignIn(principal, { now, appUrl: deps.appUrl, what: freshSignIn })
  if (business && principal.connectionId === null) {
    const { appUrl } = deps
    const isReading = operation.hints.readOnly
    checkSecondFactor({ principal, business, now, appUrl }, { isReading })
    if (freshFactor) checkFreshFactor({ principal, business, now, appUrl }, freshFactor)
  }

  const caller = business ? principal : withoutHeld(principal)
  if (call.checkStored) {
    for (const { id } of business ? [business] : caller.businesses) {
      await call.checkStored(deps.engine.readingFor(id), id)
    }
  }

  const context: Context = {
    db: deps.db,
    now,
    principal: caller,
    requestId: call.requestId,
    isToolCall: call.isToolCall ?? false,
    appUrl: deps.appUrl,
    hmac: deps.vault.hmac,
  }
  if (!business) {
    const writing = { write: deps.engine.write, origin: originOf(call) }
    return orThrow(await operation.run({ ...context, ...writing } as BusinessContext, input))
  }
  const { appUrl, toolNamed } = deps
  const reader = { principal, business, appUrl, toolNamed }
  const output = await orRefusal(() =>
    operation.run(inBusiness(deps.engine, call, business, context), input),
  )
  if (isRefusal(output)) throw adaptRefusal(output, reader)
  deps.counter.count(business.id)
  return adaptFixes(output, reader)
}

/** What the operator can require of everybody in the app, in each of their businesses. */
const strictRule: FactorRule = { requiredFrom: new Date(0), asksFresh: true }

const strictly = (principal: Principal): Principal => ({
  ...principal,
  businesses: principal.businesses.map((business) => ({ ...business, factorRule: strictRule })),
})

/** Compiled at an operation's first call, because most processes never use most operations. */
const checks = new WeakMap<Operation, ReturnType<typeof schemaCheck>>()

/** Checks the shape of the arguments: only here, for all entry points. */
function checkInput(operation: Operation, input: Record<string, unknown>): void {
  const unreadable = checkReadable(input)
  if (unreadable) throw unreadable
  let check = checks.get(operation)
  if (!check) {
    check = schemaCheck(operation.input, `the arguments of ${operation.name}`)
    checks.set(operation, check)
  }
  const fault = check(input)
  if (!fault) return
  // Loaded at the first such refusal, because an idle service needs none.
  const { withMendedWords } = require('./mend-words.ts') as typeof import('./mend-words.ts')
  throw withMendedWords(withFurtherFaults(fault, operation.input, input), operation, input)
}

interface BusinessQuery {
  operation: Operation
  input: Record<string, unknown>
  principal: Principal
}

/**
 * Decides in which business a call acts: the business that it names, the only business, or the
 * owner of the object that the call names. Returns undefined for a call that acts on the
 * connection, or the person, as a whole.
 */
export async function chooseBusiness(
  db: Db,
  { operation, input, principal }: BusinessQuery,
): Promise<Reach | undefined> {
  const businessId = input['business_id'] as string | undefined
  if (businessId !== undefined) return findNamed(businessId, principal)
  if (operation.reach !== 'business') return undefined
  const [only, another] = principal.businesses
  if (only && !another) return only
  if (!only) {
    throw refuse(
      'not_found',
      'This connection has no access to a business. Ask the person to connect again after joining one.',
      { field: 'business_id' },
    )
  }
  for (const [field, locate] of Object.entries(operation.locate ?? {})) {
    const id = input[field] as string | undefined
    if (id === undefined) continue
    const reached = principal.businesses.map((business) => business.id)
    const ownerId = await locate(db, reached, id)
    const owner = principal.businesses.find((business) => business.id === ownerId)
    if (owner) return owner
    const text = `No business that this connection reaches has ${id}.`
    throw refuse('not_found', text, { field, fix: { tool: 'business.list', arguments: {} } })
  }
  throw severalBusinesses(principal)
}

/** A business out of reach gets the same refusal as a business that does not exist. */
function findNamed(publicId: string, { businesses }: Principal): Reach {
  const id = parseId('business', publicId)
  const business = businesses.find((reached) => liveOf(reached.id) === id)
  if (business) return business
  throw refuse('not_found', `This connection has no access to a business ${publicId}.`, {
    field: 'business_id',
    fix: { tool: 'business.list', arguments: {} },
  })
}

function severalBusinesses({ businesses }: Principal): Refusal {
  return refuse(
    'invalid_request',
    'business_id is missing, and this connection has access to several businesses: pass one.',
    {
      field: 'business_id',
      fix: { tool: 'business.list', arguments: {} },
      data: {
        reason: 'several_businesses',
        choices: businesses.map((business) => ({
          business_id: formatId('business', business.id),
          name: business.name,
        })),
      },
    },
  )
}

/** A model that reads this stops trying, and tells its person. */
function stoppedByPerson(appUrl: string, { id }: Reach): Refusal {
  const url = `${appUrl}/b/${formatId('business', id)}/connections`
  const text = `A person has stopped this connection in this business. Its calls are rejected and its queued messages are held until they resume it in the app: ${url}. Do not try again.`
  return refuse('access_denied', text, { data: { reason: 'stopped' }, fix: { url } })
}

function withoutHeld(principal: Principal): Principal {
  const { businesses } = principal
  if (!businesses.some((business) => business.isHeld)) return principal
  return { ...principal, businesses: businesses.filter((business) => !business.isHeld) }
}

/**
 * Throws a refusal where the business, or each that the call could be about, is held. What is the
 * person's own alone, such as their sessions, stays open to them.
 */
function checkHeld(
  appUrl: string,
  { operation, principal: { businesses, connectionId, isApiKey } }: Call,
  chosen: Reach | undefined,
): void {
  if (!chosen && operation.reach === 'person') return
  const isHeld = chosen
    ? chosen.isHeld
    : businesses.length > 0 && businesses.every((business) => business.isHeld)
  if (!isHeld) return
  const url = `${appUrl}/login`
  const noun = isApiKey ? 'API key' : 'connection'
  const text =
    connectionId === null
      ? `The sign-in of the company no longer confirms you. Sign in there again at ${url}, or ask an owner of the business to let you go on.`
      : `This ${noun} is held: the sign-in of the company no longer confirms the person who made it. It goes on as soon as they sign in there again at ${url}, or when an owner of the business lets it go on. Do not try again before that.`
  throw refuse('access_denied', text, { data: { reason: 'held' }, fix: { url } })
}

/** Throws a refusal if the person lacks the role, or the business the tier. */
export function checkRights(operation: Operation, business: Reach): void {
  if (!allows(business.role, operation)) {
    throw refuse(
      'role_required',
      `${operation.name} needs the role ${operation.role}; this person is ${business.role} of the business. An owner can change that.`,
      { data: { role: operation.role }, fix: { tool: 'business.list', arguments: {} } },
    )
  }
  if (tiers.indexOf(business.tier) < tiers.indexOf(operation.tier)) {
    throw refuse(
      'tier_required',
      `${operation.name} needs the tier ${operation.tier}; the business is on ${business.tier}.`,
      {
        data: { tier: operation.tier },
        fix: { tool: 'meta.usage', arguments: { business_id: formatId('business', business.id) } },
      },
    )
  }
}

const originOf = ({ principal, requestId }: Call): Origin => ({
  connectionId: principal.connectionId,
  userId: principal.userId,
  callId: requestId,
})

function inBusiness(
  engine: Engine,
  call: Call,
  business: Reach,
  context: Context,
): BusinessContext {
  const { operation, input, file } = call
  const writing = engine.writingFor({
    businessId: business.id,
    operation: operation.name,
    input,
    origin: originOf(call),
  })
  const db = engine.readingFor(business.id)
  const hasKey = input['idempotency_key'] !== undefined
  return { ...context, ...writing, business, hasKey, db, ...(file && { file }) }
}

interface FixReader {
  principal: Principal
  business: Reach
  appUrl: string
  /** Finds the operation that a fix names, for the scope and role that it needs. */
  toolNamed: FindTool
}

type FindTool = (name: string) => Pick<Operation, 'scope' | 'role' | 'alsoFor'> | undefined

/**
 * Adapts the `fix` of a refusal to its reader. The call that it names is made in the business of the
 * refused call. If it is outside the reader's scopes or role, the refusal says instead who can make
 * that call, and where.
 */
function adaptRefusal(refusal: Refusal, reader: FixReader): Refusal {
  const { fix } = refusal.details
  if (fix?.tool === undefined) return refusal
  const { fix: own, who } = fixFor(fix, reader)
  const message = who === undefined ? refusal.message : `${refusal.message} ${who}`
  return refuse(refusal.code, message, { ...refusal.details, fix: own })
}

/**
 * Adapts the fixes that a response lists: the gates of a campaign, and the missing parts of a
 * business.
 */
function adaptFixes<T>(output: T, reader: FixReader): T {
  if (typeof output !== 'object' || output === null) return output
  const lists = ['gates', 'missing'].flatMap((key) => {
    const list = (output as Record<string, unknown>)[key]
    return Array.isArray(list) ? [[key, list.map((entry) => mended(entry, reader))] as const] : []
  })
  return lists.length === 0 ? output : { ...output, ...Object.fromEntries(lists) }
}

function mended(entry: unknown, reader: FixReader): unknown {
  if (typeof entry !== 'object' || entry === null || !('fix' in entry)) return entry
  const { fix, who } = fixFor(entry.fix as Fix, reader)
  const remedy = 'remedy' in entry && typeof entry.remedy === 'string' ? entry.remedy : ''
  return { ...entry, fix, ...(who !== undefined && { remedy: `${remedy} ${who}`.trim() }) }
}

function fixFor(fix: Fix, reader: FixReader): { fix: Fix; who?: string } {
  if (fix.tool === undefined) return { fix }
  const { principal, business, appUrl } = reader
  const args = { business_id: formatId('business', business.id), ...fix.arguments }
  const page = fix.tool === 'business.save' ? settingsUrl(appUrl, business.id) : undefined
  const needs = reader.toolNamed(fix.tool)
  if (!needs) return { fix: { ...fix, arguments: args } }
  const url = page ?? appUrl
  const hasRole = allows(business.role, needs)
  if (hasRole && principal.scopes.has(needs.scope)) {
    return { fix: { ...fix, arguments: args, ...(page && { url: page }) } }
  }
  const who = hasRole
    ? `This connection lacks the scope ${needs.scope} for ${fix.tool}: the person does it at ${url}`
    : `This person is ${business.role}, and ${fix.tool} needs the role ${needs.role}: somebody with it does this at ${url}`
  return { fix: { url }, who }
}

const deepest = 32

interface Fault {
  /** The path to the fault, outermost key first. */
  path: (string | number)[]
  text: string
}

/**
 * Refuses values that JSON can carry but that no part behind the entry points accepts: NUL, which
 * PostgreSQL refuses, halves of surrogate pairs, which no encoding preserves, the key `__proto__`,
 * and nesting deeper than any schema needs. It is checked once for every call, so that operations
 * never receive such text.
 */
export function checkReadable(input: Record<string, unknown>): Refusal | undefined {
  const fault = faultIn(input, 0)
  if (!fault) return undefined
  const field = formatFieldPath(fault.path)
  return refuse('invalid_request', `${field} ${fault.text}`, {
    field,
    data: { reason: 'unreadable_text' },
  })
}

/** Finds the first fault. It descends at most to `deepest`, however deep the nesting is. */
function faultIn(value: unknown, depth: number): Fault | undefined {
  if (typeof value === 'string') {
    const text = faultOf(value)
    return text === undefined ? undefined : { path: [], text }
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === deepest) return { path: [], text: `is nested deeper than ${deepest} levels.` }
  const isArray = Array.isArray(value)
  for (const key of Object.keys(value)) {
    const fault =
      (isArray ? undefined : faultOfKey(key)) ??
      faultIn((value as Record<string, unknown>)[key], depth + 1)
    if (fault) return { ...fault, path: [isArray ? Number(key) : key, ...fault.path] }
  }
  return undefined
}

function faultOfKey(key: string): Fault | undefined {
  if (key === '__proto__') {
    return { path: [], text: 'is not known here: no field may have that name.' }
  }
  const text = faultOf(key)
  return text === undefined ? undefined : { path: [], text: `as a name ${text}` }
}

function faultOf(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain a NUL character.'
  if (!text.isWellFormed()) return 'must not contain half of a surrogate pair.'
  return undefined
}

/** How names are listed: with dots, or with underscores for models that refuse dots. */
export type Spelling = 'dotted' | 'underscored'

/**
 * Translates names of operations in responses. Domains write `area.action`. A reader gets the name
 * that they call: with the service's slug and version, with dots, or with underscores where their
 * client lists tools that way.
 */
export type CallName = (operation: string) => string

export function callNames(slug: string, spelling: Spelling): CallName {
  return (operation) => {
    const dotted = `${slug}.v1.${operation}`
    return spelling === 'dotted' ? dotted : dotted.replaceAll('.', '_')
  }
}

/** Fields with lists whose entries name operations. */
const listsWithNames = ['gates', 'missing', 'campaigns', 'sequences'] as const

/** Whether any part of the answer names an operation. Most answers do not. */
export function namesOperations(answer: unknown): boolean {
  if (!isObject(answer)) return false
  return (
    'possible' in answer ||
    'found' in answer ||
    'fix' in answer ||
    listsWithNames.some((list) => list in answer)
  )
}

/** Rewrites `possible`, the tools of fixes, and those that `meta.find` found, for the reader. */
export function withCallNames<T>(answer: T, name: CallName): T {
  if (!isObject(answer)) return answer
  const { possible, fix, found: foundTools, areas } = answer
  const spelled: Record<string, unknown> = { ...answer }
  if (Array.isArray(possible)) spelled['possible'] = possible.map((entry) => name(String(entry)))
  if (isObject(fix) && typeof fix['tool'] === 'string') {
    spelled['fix'] = { ...fix, tool: name(fix['tool']) }
  }
  if (Array.isArray(foundTools)) {
    spelled['found'] = foundTools.map((tool) => ({ ...tool, name: name(tool.name) }))
  }
  if (Array.isArray(foundTools) && Array.isArray(areas)) {
    spelled['areas'] = areas.map((area) => ({ ...area, tools: area.tools.map(name) }))
  }
  for (const list of listsWithNames) {
    const entries = answer[list]
    if (Array.isArray(entries)) spelled[list] = entries.map((entry) => withCallNames(entry, name))
  }
  return spelled as T
}
