/** Tells a person by mail that somebody signed in, in a browser that their sessions do not know. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { browserOf } from '../../lib/text/browser-name.ts'
import { listedSessions } from '../sign-in/listed-session.ts'
import type { FactorNotices } from './notice.ts'

/** Called before the new session is stored. The first sign-in of a person is no news to them. */
export async function tellNewDevice(
  tx: Tx,
  notices: FactorNotices,
  { userId, agent, now }: { userId: Id<'user'>; agent: string | null; now: Date },
): Promise<void> {
  const sessions = await tx.all<{ agent: string | null }>(sql`
    select agent from sessions where user_id = ${userId}
    order by last_used_at desc, id desc
    limit ${listedSessions}
  `)
  const name = nameOf(agent)
  if (sessions.length === 0 || sessions.some((session) => nameOf(session.agent) === name)) return
  await notices.queue(tx, { userId, event: 'device', details: { browser: name }, now })
}

function nameOf(agent: string | null): string {
  const { browser, system } = browserOf(agent ?? '')
  return [browser, system].filter((part) => part !== null).join(', ') || '?'
}
