/** What the routes of REST are made with. */

import type { Operation } from '../../core/operation.ts'
import type { EntryDeps } from '../operation-entry.ts'

export interface RestDeps extends EntryDeps {
  catalog: readonly Operation[]
  /** Where the routes are described. */
  documentation: string
  /** Event streams that one connection, or one person in the app, holds open at once. */
  streamsPerConnection: number
}
