import { saveTwin } from '../../accounts/businesses/twin.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, newId } from '../../core/ids.ts'
import { operation, type Role, roles, type Scope, scopes } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { Type } from '../../lib/schema/schema.ts'
import { isExistingDay } from '../../lib/time/wall-clock.ts'
import { newTransactionalPerDay } from '../../usage/connection-limit.ts'
import { recipientsPerDayInput, transactionalPerDayInput } from '../connections/limits-view.ts'
import { grantedScopes } from '../model/scopes.ts'
import { keyLimits, newKey } from './api-key.ts'
import { countKeys, insertKey } from './key-queries.ts'
import { keyView } from './key-view.ts'
import { readNetworks } from './networks.ts'

/** The scopes ticked by default: reading only. */
const firstScopes: readonly Scope[] = ['meta:read', 'forms:read', 'audience:read']

export const keyCreate = operation({
  name: 'key.create',
  title: 'Make an API key',
  summary: 'A key for a program that cannot sign in as a person. It is shown only once.',
  reach: 'business',
  scope: 'meta:read',
  role: 'admin',
  tier: 'free',
  appOnly: true,
  freshSignIn: 'An API key is made',
  freshFactor: 'keys',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  rest: 'POST /v1/keys',
  status: 201,
  input: {
    name: Type.String({ minLength: 1, maxLength: keyLimits.nameLength }),
    scopes: Type.Optional(Type.Array(Type.Enum(scopes), { uniqueItems: true })),
    role: Type.Optional(Type.Enum(roles)),
    test: Type.Optional(
      Type.Boolean({
        description: 'For tests: it reaches nobody and no live data. docs/guides/testing.md.',
      }),
    ),
    expires_at: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601, UTC.' })),
    allowed_networks: Type.Optional(
      Type.Array(Type.String({ maxLength: 50 }), { maxItems: keyLimits.networks }),
    ),
    recipients_per_day: Type.Optional(recipientsPerDayInput),
    transactional_per_day: Type.Optional(transactionalPerDayInput),
  },
  output: Type.Object({
    ...Type.Omit(keyView, ['made_by', 'made_by_you', 'held']).properties,
    key: Type.String({ description: 'Shown this once.' }),
    may_send: Type.Boolean({ description: 'To so many recipients a day as it says.' }),
  }),

  async run({ business, principal, now, write, origin }, input) {
    const role = input.role ?? business.role
    if (roles.indexOf(role) > roles.indexOf(business.role)) throw aboveYours(business.role)
    const networks = readNetworks(input.allowed_networks ?? [])
    const expiresAt = readExpiry(input.expires_at, now)
    const name = input.name.trim()
    if (name === '')
      throw refuse('invalid_request', 'Give the key a name.', {
        field: 'name',
        data: { reason: 'missing' },
      })
    const { secret, hash } = newKey()
    const id = newId('connection')
    const key = {
      id,
      userId: principal.userId,
      hash,
      name,
      scopes: grantedScopes(scopes, input.scopes ?? firstScopes),
      role,
      networks,
      recipientsPerDay: input.recipients_per_day ?? keyLimits.defaultRecipientsPerDay,
      transactionalPerDay:
        input.transactional_per_day === undefined
          ? newTransactionalPerDay.key
          : input.transactional_per_day,
      expiresAt,
      isTest: input.test ?? false,
    }
    const key_id = formatId('connection', id)
    const made = await write(async (tx) => {
      if ((await countKeys(tx, business.id)) >= keyLimits.perBusiness) throw tooMany()
      if (key.isTest) await saveTwin(tx, business.id, now)
      await insertKey(tx, business.id, key, now)
      const details = { scopes: key.scopes.join(' '), role, ...(key.isTest && { test: true }) }
      const entry = { businessId: business.id, action: 'key.create', subject: key_id, origin }
      await recordAudit(tx, [{ ...entry, details }], now)
      return { key_id }
    })
    // The response stored under an idempotency key has no secret, so it cannot be repeated.
    if (made.key_id !== key_id) throw keyShownBefore(made.key_id)
    return {
      key_id,
      name,
      scopes: key.scopes,
      withheld_scopes: [],
      role,
      test: key.isTest,
      allowed_networks: networks,
      recipients_per_day: key.recipientsPerDay,
      recipients_last_day: 0,
      transactional_per_day: key.transactionalPerDay,
      transactional_last_day: 0,
      created_at: now.toISOString(),
      expires_at: expiresAt?.toISOString() ?? null,
      last_used_at: null,
      key: secret,
      may_send: key.scopes.includes('messaging:send'),
    }
  },
})

function aboveYours(role: Role): Refusal {
  const text = `A key may do at most what its maker may, and you are ${role} here.`
  return refuse('role_required', text, { field: 'role', data: { role } })
}

function tooMany(): Refusal {
  const text = `A business has at most ${keyLimits.perBusiness} API keys. Revoke one first.`
  return refuse('conflict', text, {
    data: { reason: 'too_many_keys', limit: keyLimits.perBusiness },
  })
}

function keyShownBefore(id: string): Refusal {
  const text = `This call already created ${id}, and its key was shown only once. Revoke it, and create another with a different idempotency key.`
  return refuse('conflict', text, {
    field: 'idempotency_key',
    data: { reason: 'key_shown_before' },
  })
}

/** Reads a day or a time in the future. */
function readExpiry(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null
  const moment = new Date(text)
  if (isExistingDay(text.slice(0, 10)) && moment > now) return moment
  const form = 'expires_at must be a time in the future, such as 2027-12-31T00:00:00Z.'
  throw refuse('invalid_request', form, { field: 'expires_at', data: { reason: 'past_moment' } })
}
