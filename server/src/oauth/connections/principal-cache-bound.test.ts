import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Id, newId } from '../../core/ids.ts'
import type { Principal } from '../../core/operation.ts'
import { createPrincipalCache } from './principals.ts'

function principal(businesses: number): [Id<'connection'>, Principal] {
  const connectionId = newId('connection')
  const reach = Array.from({ length: businesses }, () => ({
    id: newId('business'),
    name: 'A',
    tier: 'free' as const,
    role: 'owner' as const,
  }))
  return [
    connectionId,
    { connectionId, userId: newId('user'), scopes: new Set(), businesses: reach },
  ]
}

test('at most 30,000 cached connections and businesses are kept, and the oldest are evicted first', () => {
  const cache = createPrincipalCache(() => 0)
  const large = principal(9999)
  const small = [principal(0), ...Array.from({ length: 19_998 }, () => principal(0))]
  const last = principal(0)
  cache.keeper()(new Map([large]))
  cache.keeper()(new Map(small))
  cache.keeper()(new Map([last]))
  assert.ok(cache.get(large[0]))
  cache.keeper()(new Map([principal(0)]))
  assert.equal(cache.get(large[0]), undefined)
  assert.ok(cache.get(small[0]?.[0] as Id<'connection'>))
  // An entry that is read again counts once, and is as young as its last read.
  cache.keeper()(new Map([small[0] as [Id<'connection'>, Principal]]))
  cache.keeper()(new Map([principal(29_998)]))
  assert.ok(cache.get(small[0]?.[0] as Id<'connection'>))
  assert.equal(cache.get(last[0]), undefined)
})

test('a principal that is too large on its own is not cached', () => {
  const cache = createPrincipalCache(() => 0)
  const huge = principal(30_000)
  cache.keeper()(new Map([huge]))
  assert.equal(cache.get(huge[0]), undefined)
})
