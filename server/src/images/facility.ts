/** The parts of the service that operations on pictures need. */

import type { Files } from '../files/files.ts'
import type { Lazy } from '../lib/concurrency/lazily.ts'
import type { Outbound } from '../lib/http-client/outbound-fetch.ts'

export interface ImageFacility {
  files: Files
  outbound: Lazy<Outbound>
  /** The public address under which pictures are served, without a trailing slash. */
  baseUrl: string
}
