/** One business floods what costs most, and another's mail, upserts and webhooks go on. */
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
 * The bench asks for 3 times the quiet value on a machine of its own. Here service, flood and
 * other tests share one: what would be wrong is a wait for all that the other one asked for.
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

/** With whether its calls are taken: the templates are of the kind that is refused, after much work. */
const floods = {
  'business.save': true,
  'form.submit': true,
  'contact.import': true,
  // Both over all that was imported.
  'campaign.preview': true,
  'suppression.list': true,
  // Last: it takes all the time for templates that its business has, which a preview needs, too.
  'template.save': false,
}

for (const [operation, isTaken] of Object.entries(floods)) {
  test(`while one business floods ${operation}, another works on`, async (t) => {
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
