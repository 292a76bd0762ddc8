/** What campaigns need of others; `app.ts` fills it in. */
import type { Senders } from '../domains/senders.ts'
import type { TextSenders } from '../messages/parts.ts'
import type { Db } from '../platform/db.ts'
import type { Hmac } from '../platform/operation.ts'
import type { Templates } from '../templates/compile.ts'
import type { CheckLinks } from './gates/links.ts'
import type { WayOut } from './gates/unsubscribe.ts'

/** What a plan is made with. */
export interface PlanParties {
  senders: Senders
  textSenders: TextSenders
  templates: Templates
  wayOut: WayOut
  checkLinks: CheckLinks
  /** Milliseconds for which the others wait for those who go first. */
  canaryWaitMs: number
}

export interface PlanDeps extends PlanParties {
  db: Db
  hmac: Hmac
}
