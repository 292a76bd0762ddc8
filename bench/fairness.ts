/** How long one business waits while another calls each operation as often as it may. */
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../server/src/config.ts'
import { openVault } from '../server/src/core/installation/root-key.ts'
import { installationSecret } from '../server/src/lib/crypto/vault.ts'
import { sql } from '../server/src/lib/db/db.ts'
import type { Db } from '../server/src/lib/db/types.ts'
import { catalog } from '../tests/operations/support/testbed.ts'
import {
  measures,
  openWorld,
  p99,
  type Waits,
  worldSettings,
} from '../tests/support/fairness/neighbour.ts'
import { openScene } from '../tests/support/fairness/scene.ts'
import { type Bench, type Figure, number } from './support/bench.ts'
import { endpoint } from './support/calls.ts'
import { sizes } from './support/sizes.ts'
import { openTestbed } from './support/testbed.ts'

const { seconds, operations } = sizes.fairness
/** The most seconds for working off the remains of a flood before the next one. */
const settleSeconds = 60
/** How many operations pass between two measurements without a flood; the first one warms up. */
const quietEvery = 6
const most = 3

export const fairness: Bench = {
  name: 'fairness',
  title: 'One business floods an operation, another works on',
  method: `Each operation of the catalogue in turn is called for ${seconds} s by ten connections of one business at their limit of 600 a minute, at most three calls of a connection at once, with the largest input that it takes (checks of templates that take more than a second, imports of 10,000 rows, mail of 500 kB). Another business sends mail until the relay's 250, upserts contacts, and has a webhook for each, one after the other. p99 of these, beside p99 without a flood, which is measured before every ${quietEvery} operations. What is over ${most} times is measured once more, and the first figures stand beside the second. The service, its database, the flood and the relay share the machine's two cores.`,

  async run(tell) {
    const world = await openWorld()
    const testbed = await openTestbed(worldSettings(world))
    try {
      const { port } = testbed.service
      const scene = await openScene(
        {
          db: testbed.db,
          vault: await openVault(testbed.db, installationSecret(testbed.dataDir), new Date()),
          config: readConfig({ PORT: String(port), DATA_DIR: testbed.dataDir }),
          endpoint: `${testbed.service.origin}${endpoint}`,
        },
        world,
      )
      await scene.quiet(seconds)
      const quiet: Waits = { send: [], upsert: [], webhook: [] }
      const rows: { name: string; waits: Waits; note: string }[] = []
      for (const [n, name] of inOrder().slice(0, operations).entries()) {
        if (n % quietEvery === 0) {
          const more = await scene.quiet(seconds)
          for (const what of measures) quiet[what].push(...more[what])
        }
        const { waits, flooded } = await scene.under(name, seconds)
        const { answered, refused, limited, failed } = flooded
        const note = `${answered} answered, ${refused} refused, ${limited} of 429, ${failed} not in time`
        tell(
          `${name}: ${measures.map((what) => `${what} ${number(p99(waits[what]))} ms`).join(', ')}; ${note}`,
        )
        rows.push({ name, waits, note })
        await settled(testbed.db)
      }
      // A machine that others use as well has slow moments of its own.
      for (const row of rows.filter((entry) => figureOf(entry, quiet).met === false)) {
        const again = await scene.quiet(seconds)
        for (const what of measures) quiet[what].push(...again[what])
        const { waits } = await scene.under(row.name, seconds)
        row.note += `; at first ${measures.map((what) => `${what} ${number(p99(row.waits[what]))} ms`).join(', ')}`
        row.waits = waits
        tell(
          `${row.name} again: ${measures.map((what) => `${what} ${number(p99(waits[what]))} ms`).join(', ')}`,
        )
        await settled(testbed.db)
      }
      return [
        ...measures.map((what) => ({
          name: `quiet ${what}, p99`,
          value: `${number(p99(quiet[what]))} ms`,
        })),
        ...rows.map((row) => figureOf(row, quiet)),
      ]
    } finally {
      await testbed.close()
      await world.close()
    }
  },
}

/** Operations that use up the time budget for templates, which others need, come last. */
function inOrder(): string[] {
  const last = ['template.save', 'campaign.generate', 'campaign.save']
  return [...catalog.map(({ name }) => name).filter((name) => !last.includes(name)), ...last]
}

/** Resolves when the database has been idle for a second. */
async function settled(db: Db): Promise<void> {
  const isBusy = sql`
    select exists (select 1 from jobs where due_at <= now()) or exists (
      select 1 from pg_stat_activity where state <> 'idle' and pid <> pg_backend_pid()
        and backend_type in ('client backend', 'autovacuum worker')
    ) as busy
  `
  const end = Date.now() + settleSeconds * 1_000
  for (let calm = 0; calm < 10 && Date.now() < end; await sleep(100)) {
    calm = (await db.one<{ busy: boolean }>(isBusy)).busy ? 0 : calm + 1
  }
}

function figureOf(
  { name, waits, note }: { name: string; waits: Waits; note: string },
  quiet: Waits,
): Figure {
  const ratios = measures.map((what) => p99(waits[what]) / p99(quiet[what]))
  const told = measures.map(
    (what, n) => `${what} ${number(p99(waits[what]))} ms (${number(ratios[n] ?? Number.NaN)})`,
  )
  return {
    name: `\`${name}\``,
    value: `${told.join(', ')}; ${note}`,
    target: `at most ${most} times`,
    met: ratios.every((ratio) => ratio <= most),
  }
}
