/** Dependencies of the REST routes. */

import type { Operation } from '../../core/operation.ts'
import type { Lazy } from '../../lib/concurrency/lazily.ts'
import type { Watcher } from '../live/watcher.ts'
import type { EntryDeps } from '../operation-entry.ts'

export interface RestDeps extends EntryDeps {
  catalog: readonly Operation[]
  /** The address of the reference. */
  documentation: string
  /** How many event streams one connection, or one person in the app, may hold open. */
  streamsPerConnection: number
  /** Tells the app's pages what has changed. */
  watcher: Lazy<Watcher>
}
