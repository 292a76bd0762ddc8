/** Calls operations as their entry points do, with checked arguments, business and engine. */

import assert from 'node:assert/strict'
import { isRefusal, type Refusal } from 'crier-server/core/errors.ts'
import { formatId, type Id, newId } from 'crier-server/core/ids.ts'
import {
  type Operation,
  type Principal,
  type Reach,
  type Scope,
  scopes,
} from 'crier-server/core/operation.ts'
import { createEngine, type Engine } from 'crier-server/core/writes/unit-of-work.ts'
import { createVault, type Vault } from 'crier-server/lib/crypto/vault.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import type { Clock } from 'crier-server/lib/time/clock.ts'
import { callOperation } from 'crier-server/operations/call.ts'
import { reachOf } from '../businesses/business.ts'

export interface CallParts {
  db: Database
  clock: Clock
  /** By default a new engine. Callers that share an engine share its group commits. */
  engine?: Engine
  vault?: Vault
}

export interface Caller {
  /** Returns the output, or the refusal as a value. */
  ask<T>(operation: Operation, input?: object): Promise<T | Refusal>
  /** Returns the output; a refusal fails the test. */
  get<T>(operation: Operation, input?: object): Promise<T>
  /** Returns the refusal; an output fails the test. */
  refused(operation: Operation, input?: object): Promise<Refusal>
}

/** The vault whose HMACs identify addresses in tests. */
export const testVault = createVault('a secret of the tests')

/** A caller with one connection to one business: an app's, or with `isApiKey` that of a key. */
export function callerIn(
  parts: CallParts,
  businessId: Id<'business'>,
  changes: Partial<Reach> & { scopes?: readonly Scope[]; isApiKey?: true } = {},
): Caller {
  const { scopes: held = scopes, isApiKey, ...reach } = changes
  return callerAs(parts, {
    connectionId: newId('connection'),
    userId: newId('user'),
    scopes: new Set(held),
    businesses: [reachOf(businessId, reach)],
    ...(isApiKey && { isApiKey }),
  })
}

/** Calls as any principal; for a person signed in to the app, use `personPrincipal`. */
export function callerAs(
  { db, clock, engine = createEngine({ db, clock }), vault = testVault }: CallParts,
  principal: Principal,
): Caller {
  const ask = async <T>(operation: Operation, input: object = {}) => {
    const requestId = formatId('request', newId('request'))
    const call = { operation, input: input as Record<string, unknown>, principal, requestId }
    const deps = {
      db,
      clock,
      engine,
      vault,
      counter: { count() {} },
      appUrl: 'https://app.example',
      toolNamed: () => undefined,
    }
    return (await callOperation(deps, call)) as T | Refusal
  }
  return {
    ask,
    async get<T>(operation: Operation, input?: object) {
      const answer = await ask<T>(operation, input)
      assert.ok(!isRefusal(answer), `${operation.name}: ${String(answer)}`)
      return answer
    },
    async refused(operation, input) {
      const answer = await ask(operation, input)
      assert.ok(isRefusal(answer), `${operation.name} answered ${JSON.stringify(answer)}`)
      return answer
    },
  }
}
