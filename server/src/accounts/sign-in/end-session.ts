import { refuse } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { endOtherSessions, endSession } from './session.ts'

export const sessionEnd = operation({
  name: 'session.end',
  title: 'End sessions',
  summary: 'Signs one browser of the person out at once, or all but the one that asks.',
  reach: 'person',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'POST /v1/sessions/end',
  input: {
    session_id: Type.Optional(Type.String({ description: 'ses_…' })),
    others: Type.Optional(Type.Boolean({ description: 'All but the session that asks.' })),
  },
  output: Type.Object({ ended: Type.Integer() }),

  async run({ write, principal }, { session_id, others }) {
    const { userId, sessionId } = principal
    if ((session_id === undefined) === (others !== true)) throw nameOne()
    if (session_id !== undefined) {
      const id = parseId('session', session_id)
      return write(async (tx) => {
        if (id && (await endSession(tx, userId, id))) return { ended: 1 }
        throw noSuchSession(session_id)
      })
    }
    if (sessionId === undefined) throw nameOne()
    return write(async (tx) => ({ ended: await endOtherSessions(tx, userId, sessionId) }))
  },
})

const nameOne = () =>
  refuse('invalid_request', 'Pass session_id for one session, or others: true for all others.', {
    field: 'session_id',
    data: { reason: 'missing' },
  })

const noSuchSession = (id: string) =>
  refuse('not_found', `You have no session ${id}. It may have ended already.`, {
    field: 'session_id',
  })
