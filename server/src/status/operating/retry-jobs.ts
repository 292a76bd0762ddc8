import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { changeHints, forOperator } from './common.ts'
import { type OperatorIdentity, refuseOthers } from './operator-only.ts'

export const operatorRetryJobs = (identity: OperatorIdentity) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.retry_jobs',
    title: 'Retry failed jobs',
    summary:
      'Makes all failed jobs of a kind due again, once their cause is mended. What they had done already is not done twice.',
    hints: changeHints,
    rest: 'POST /v1/operator/jobs/retry',
    input: { kind: Type.String({ maxLength: 100 }) },
    output: Type.Object({ kind: Type.String(), retried: Type.Integer() }),

    async run({ db, principal, now, write }, { kind }) {
      const refused = await refuseOthers(identity, { db, principal })
      if (refused) throw refused
      const { releaseDead } = await import('../../lib/jobs/dead.ts')
      return write(async (tx) => ({ kind, retried: await releaseDead(tx, kind, now) }))
    },
  })
