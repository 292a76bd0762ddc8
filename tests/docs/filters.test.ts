/** Parses the guide's filters unchanged. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFilter } from 'crier-server/contacts/filters/read.ts'
import { fencesOf } from './fences.ts'

const guides = [
  'docs/guides/filters.md',
  'docs/guides/own-events.md',
  'docs/guides/topics-and-consent.md',
]

test('every filter in the guides is a valid filter', () => {
  const filters = guides
    .flatMap(fencesOf)
    .filter(({ language }) => language === 'json')
    .map(({ code }) => JSON.parse(code))
    .filter((entry) => entry.path === undefined)
  assert.ok(filters.length > 3)
  for (const filter of filters) {
    readFilter(filter)
  }
})
