/** One service with the business that floods it and the business whose waiting is measured. */
import { sql } from 'crier-server/lib/db/db.ts'
import { addBelongings } from '../../operations/support/belongings.ts'
import { type Address, catalog, testbedAt } from '../../operations/support/testbed.ts'
import { newGrant, tokenMint } from '../clients/grants.ts'
import { type Flooded, flood, floodBody } from './flood.ts'
import { neighbour, type Waits, type World } from './neighbour.ts'

/** The number of connections of the flooding business. */
const connections = 10
const callsPerSecond = 10

export interface Scene {
  quiet(seconds: number): Promise<Waits>
  /** How long the other business waits while this operation is called. */
  under(operation: string, seconds: number): Promise<{ waits: Waits; flooded: Flooded }>
}

export async function openScene(address: Address, world: World): Promise<Scene> {
  const testbed = testbedAt(address)
  const own = await addBelongings(testbed, 'flood', { campaigns: 8 })
  // Its webhooks must not leave this machine.
  await address.db.run(sql`update webhooks set url = ${`${world.webhookUrl}/flood`}`)
  const next = await neighbour(testbed, world)
  const mint = tokenMint(address)
  const newToken = async () => mint(await newGrant(address.db, { businesses: [own.id] }))
  return {
    quiet: (seconds) => next.measure(new Promise((done) => setTimeout(done, seconds * 1_000))),
    async under(name, seconds) {
      const operation = catalog.find((entry) => entry.name === name)
      if (!operation) throw new Error(`There is no operation ${name}.`)
      const tokens = await Promise.all(Array.from({ length: connections }, newToken))
      const { endpoint } = address
      const body = floodBody(operation, own)
      const flooding = flood({ endpoint, tokens, body, seconds, callsPerSecond })
      const [flooded, waits] = await Promise.all([flooding, next.measure(flooding)])
      return { waits, flooded }
    },
  }
}
