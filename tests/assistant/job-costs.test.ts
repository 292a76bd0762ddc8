import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshCatalog } from '../../scripts/generators/catalog.ts'
import { jobCosts, mediansOfJobs } from './job-costs.ts'

test('thirty jobs take at most three calls and 12 kB at the median', () => {
  assert.deepEqual(
    jobCosts.map(({ number }) => number),
    Array.from({ length: 30 }, (_, i) => i + 1),
  )
  const { calls, bytes } = mediansOfJobs()
  assert.ok(calls <= 3 && bytes <= 12_000, `${calls} calls, ${bytes} bytes`)
  const names = new Set(freshCatalog().map(({ name }) => name))
  for (const call of jobCosts.flatMap((job) => job.calls)) assert.ok(names.has(call), call)
})
