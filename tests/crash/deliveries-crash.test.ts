import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { deliveryLoop } from './support/loops/delivery-loop.ts'

// A few kills; `npm run soak` sends 20,000 events. CRASH_SEED repeats a run.
test('no event is lost by kill -9, and only interrupted deliveries are repeated', async (t) => {
  const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 32))
  t.diagnostic(`CRASH_SEED=${seed}`)
  const { requests, lost, duplicates, kills, lapsed } = await deliveryLoop({
    events: 2_000,
    kills: 6,
    seed,
  })
  const inFlight = kills.reduce((sum, kill) => sum + kill.inFlight, 0)
  const repeated = kills.reduce((sum, kill) => sum + kill.repeated, 0)
  t.diagnostic(
    `${requests} requests; in flight at kills ${inFlight}, of those repeated ${repeated}; ` +
      `by leases that lapsed ${lapsed.repeated} of ${lapsed.inFlight}`,
  )
  assert.equal(lost, 0)
  assert.ok(inFlight > 0, 'a kill that cuts nothing off proves nothing')
  const cutOff = repeated + lapsed.repeated
  assert.ok(duplicates <= cutOff, `${duplicates} came twice, ${cutOff} had been cut off`)
  assert.ok(lapsed.inFlight < inFlight, `${lapsed.inFlight} lapsed: leases are not renewed`)
})
