import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compactList } from './compact-list.ts'

test('a compact list has the texts of a set, and no other', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', 'é', '😀'), maxLength: 4 })
  fc.assert(
    fc.property(fc.array(text), fc.array(text), (texts, asked) => {
      const [list, set] = [compactList(texts), new Set(texts)]
      for (const one of [...texts, ...asked]) assert.equal(list.has(one), set.has(one))
    }),
  )
})
