import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { changeHints, forOperator } from './common.ts'
import { type OperatorIdentity, refuseOthers } from './operator-only.ts'

const kinds = ['transactional', 'marketing'] as const

export const operatorLiftPause = (identity: OperatorIdentity) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.lift_pause',
    title: 'Lift the pause of a stream',
    summary:
      'Sends to a provider again before its pause ends. It paused because it refused the sender several times: refusals that go on harm the name of the domain.',
    hints: changeHints,
    rest: 'POST /v1/operator/mail/lift',
    input: {
      relay: Type.String({ maxLength: 300 }),
      domain: Type.String({ maxLength: 300 }),
      kind: Type.Enum(kinds),
      provider: Type.String({ maxLength: 300 }),
    },
    output: Type.Object({
      was_paused: Type.Boolean(),
      messages: Type.Integer({ description: 'How many go earlier.' }),
    }),

    async run({ db, principal, now, write }, { relay, domain, kind, provider }) {
      const refused = await refuseOthers(identity, { db, principal })
      if (refused) throw refused
      const { liftPause } = await import('../../messages/waiting/lift.ts')
      return write(async (tx) => {
        const messages = await liftPause(tx, { route: relay, domain, kind, provider }, { now })
        return { was_paused: messages !== undefined, messages: messages ?? 0 }
      })
    },
  })
