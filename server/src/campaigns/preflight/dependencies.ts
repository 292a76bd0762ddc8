/** What campaigns need of others; `composition/` fills it in. */

import type { Hmac } from '../../core/operation.ts'
import type { NamedQueues } from '../../lib/concurrency/one-by-one.ts'
import type { Db } from '../../lib/db/types.ts'
import type { TextSenders } from '../../messages/model/dependencies.ts'
import type { Senders } from '../../sender-domains/senders/senders.ts'
import type { Templates } from '../../templates/compile.ts'
import type { CheckLinks } from './gates/links.ts'
import type { UnsubscribeCheck } from './gates/unsubscribe.ts'

/** What a plan is made with. */
export interface PlanParties {
  senders: Senders
  textSenders: TextSenders
  templates: Templates
  unsubscribeCheck: UnsubscribeCheck
  checkLinks: CheckLinks
  /** What reads the whole audience of a business goes one after the other. */
  audienceTurns: NamedQueues
  /** Milliseconds for which the others wait for those who go first. */
  canaryWaitMs: number
}

export interface PlanDeps extends PlanParties {
  db: Db
  hmac: Hmac
}
