/** The functions of other domains that campaigns need; `composition/` provides them. */

import type { Hmac } from '../../core/operation.ts'
import type { NamedQueues } from '../../lib/concurrency/queues.ts'
import type { Db } from '../../lib/db/types.ts'
import type { TextSenders } from '../../messages/dependencies.ts'
import type { RouteFactsOf } from '../../messages/relays/route-facts.ts'
import type { Senders } from '../../sender-domains/senders/senders.ts'
import type { Templates } from '../../templates/compile.ts'
import type { CheckLinks } from './gates/links.ts'
import type { UnsubscribeCheck } from './gates/unsubscribe.ts'
import type { WarmUpParties } from './warm-up.ts'

/** Dependencies of planning. */
export interface PlanParties extends WarmUpParties {
  senders: Senders
  textSenders: TextSenders
  templates: Templates
  unsubscribeCheck: UnsubscribeCheck
  checkLinks: CheckLinks
  /** Queues in which reads of a business's whole audience run one after the other. */
  audienceTurns: NamedQueues
  /** Milliseconds for which the other recipients wait for the outcome of the first ones. */
  canaryWaitMs: number
  /** Milliseconds for which a person can take back what they sent in the app. */
  undoMs: number
  /** What is true of the way that its messages take. */
  routeOf: RouteFactsOf
}

export interface PlanDeps extends PlanParties {
  db: Db
  hmac: Hmac
}
