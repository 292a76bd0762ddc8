/** One business floods the costliest operations; another's mail, upserts and webhooks go on. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import {
  measures,
  openWorld,
  p99,
  type Waits,
  type World,
  worldSettings,
} from '../support/fairness/neighbour.ts'
import { openScene, type Scene } from '../support/fairness/scene.ts'

const seconds = 3
/**
 * The bench requires at most 3 times the quiet value, on its own machine. Here the service, the
 * flood and other tests share one: the failure would be a wait for all of the other's requests.
 */
const most = { ms: 5_000, times: 5 }

let world: World
let testbed: OwnTestbed
let scene: Scene
let quiet: Waits
before(async () => {
  world = await openWorld()
  testbed = await openTestbed({ settings: worldSettings(world) })
  scene = await openScene(testbed.service, world)
  await scene.quiet(1)
  quiet = await scene.quiet(seconds)
})
after(async () => {
  await testbed.close()
  await world.close()
})

/** Whether the calls succeed: the templates take much work, and are then refused. */
const floods = {
  'business.save': true,
  'form.submit': true,
  'contact.import': true,
  // Both read everything that was imported.
  'campaign.preview': true,
  'suppression.list': true,
  // Last, because it uses up the business's time for templates, which a preview needs, too.
  'template.save': false,
}

for (const [operation, isTaken] of Object.entries(floods)) {
  test(`while one business floods ${operation}, another business keeps working`, async (t) => {
    const { waits, flooded } = await scene.under(operation, seconds)
    const told = measures.map(
      (what) => `${what} ${p99(quiet[what]).toFixed(0)} -> ${p99(waits[what]).toFixed(0)} ms`,
    )
    t.diagnostic(`${told.join(', ')}; ${JSON.stringify(flooded)}`)
    assert.equal(flooded.fault, undefined)
    const { answered, refused, limited } = flooded
    assert.ok(answered + refused + limited > 0, 'there was a flood')
    if (isTaken) assert.ok(answered > refused, 'its calls were taken')
    for (const what of measures) {
      const limit = most.ms + most.times * p99(quiet[what])
      assert.ok(waits[what].length > 0, `${what} went on`)
      assert.ok(p99(waits[what]) <= limit, `${what} took ${p99(waits[what])} of ${limit} ms`)
    }
  })
}
