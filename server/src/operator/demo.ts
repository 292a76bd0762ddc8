/** The commands that create and remove demo data. No other command loads their modules. */

import { linkFromOperator } from '../accounts/sign-in/operator-link.ts'
import { secretOf } from '../config/installation-secret.ts'
import type { Config } from '../config.ts'
import { orThrow } from '../core/errors.ts'
import { openVault } from '../core/installation/root-key.ts'
import type { Database } from '../lib/db/types.ts'
import { createLog } from '../lib/process/log.ts'
import type { Clock } from '../lib/time/clock.ts'

interface DemoDeps {
  db: Database
  config: Config
  clock: Clock
}

export interface DemoCommands {
  /** Creates the data if there is none. `made` is false if it existed already. */
  make(): Promise<{ made: boolean; email: string; url: string }>
  /** Returns the number of removed rows. */
  wipe(): Promise<number>
}

export function demoCommands({ db, config, clock }: DemoDeps): DemoCommands {
  return {
    async make() {
      const { makeDemo, demoOwner, refuseRealTransport } = await import('../demo/make.ts')
      const { findDemo } = await import('../core/installation/demo.ts')
      const refused = refuseRealTransport(config)
      if (refused) throw refused
      const vault = await openVault(db, secretOf(config), clock.now())
      const isThere = (await findDemo(db)) !== undefined
      const failed = isThere
        ? undefined
        : await makeDemo({ db, config, clock, vault, log: createLog('silent') })
      if (failed) throw failed
      const deps = { db, vault, urls: config }
      const link = await linkFromOperator(deps, { email: demoOwner, now: clock.now() })
      return { made: !isThere, email: link.email, url: link.url }
    },

    async wipe() {
      const { wipeDemo } = await import('../demo/wipe.ts')
      const { openFiles } = await import('../files/open.ts')
      const removed = orThrow(await wipeDemo(db, openFiles(config)))
      return removed
    },
  }
}
