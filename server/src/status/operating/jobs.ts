import { operation } from '../../core/operation.ts'
import { queueHealth } from '../../lib/jobs/health.ts'
import { Type } from '../../lib/schema/schema.ts'
import { forOperator, readHints } from './common.ts'
import { type OperatorIdentity, refuseOthers } from './operator-only.ts'

/** The most lines of each list; further ones are only counted. */
const most = 200

export const operatorJobs = (identity: OperatorIdentity) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.jobs',
    title: 'See the jobs',
    summary:
      'To the operator: how long the oldest due job of each kind waits, and the failed jobs by kind and error.',
    hints: readHints,
    rest: 'GET /v1/operator/jobs',
    input: {},
    output: Type.Object({
      workers: Type.Integer({ description: 'Live workers; without one no job runs.' }),
      waiting: Type.Array(Type.Object({ kind: Type.String(), oldest_due_at: Type.String() })),
      failed: Type.Array(
        Type.Object({
          kind: Type.String(),
          fault: Type.Union([Type.String(), Type.Null()], {
            description: 'Class and code of the error; poison if its workers died.',
          }),
          jobs: Type.Integer(),
          since: Type.String(),
        }),
      ),
      more_failed: Type.Integer({ description: 'Further kinds and errors that are not listed.' }),
    }),

    async run({ db, principal, now }) {
      const refused = await refuseOthers(identity, { db, principal })
      if (refused) throw refused
      const { workers, waiting } = await queueHealth(db, now)
      const { listDead } = await import('../../lib/jobs/dead.ts')
      const dead = await listDead(db)
      return {
        workers,
        waiting: waiting.slice(0, most).map(({ kind, oldestDueAt }) => ({
          kind,
          oldest_due_at: oldestDueAt.toISOString(),
        })),
        failed: dead.slice(0, most).map(({ kind, fault, jobs, oldest }) => ({
          kind,
          fault,
          jobs,
          since: oldest.toISOString(),
        })),
        more_failed: Math.max(0, dead.length - most),
      }
    },
  })
