/** The state of the installation: one line for everybody, and the rest for its operator. */
import type { Finding } from '../checks/finding.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import type { MailFacility } from './operating/mail.ts'
import { isOperator } from './operating/operator-only.ts'
import type { StatusReport } from './report.ts'

export interface StatusFacility extends MailFacility {
  works(): Promise<boolean>
  report(now: Date): Promise<StatusReport>
}

const instant = Type.String({ format: 'date-time' })
const amount = Type.Integer({ minimum: 0 })

export const statusGet = (status: StatusFacility) =>
  operation({
    name: 'status.get',
    title: 'See whether the service works',
    summary:
      'Whether the service works; for its operator also queues, nodes, backups, activity of the last day, and problems.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/status',
    input: {
      brief: Type.Optional(Type.Boolean({ description: 'Without the report.' })),
    },
    output: Type.Object({
      works: Type.Boolean(),
      is_operator: Type.Boolean({ description: 'Whether the caller runs the installation.' }),
      report: Type.Optional(
        Type.Object({
          findings: Type.Array(
            Type.Object({
              check: Type.String({ description: 'The name of the check, as crier doctor has it.' }),
              outcome: Type.Unsafe<Finding['outcome']>(Type.String()),
              text: Type.String(),
              mend: Type.Optional(Type.String()),
            }),
          ),
          backfills: Type.Array(
            Type.Object({
              migration: Type.String(),
              table: Type.String(),
              rows: amount,
              of_rows: amount,
              started_at: instant,
            }),
            { description: 'Migrations that a job runs in batches, and how far they are.' },
          ),
          queues: Type.Array(
            Type.Object({
              kind: Type.String(),
              oldest_seconds: Type.Number({ description: 'How long the oldest due job waits.' }),
              dead: amount,
            }),
          ),
          nodes: Type.Array(
            Type.Object({
              host: Type.String(),
              role: Type.String({ description: 'api, worker or all.' }),
              started_at: instant,
              seen_at: instant,
              is_alive: Type.Boolean(),
            }),
          ),
          work: Type.Object({
            from: instant,
            slot_seconds: amount,
            amounts: Type.Record(Type.String(), Type.Array(amount)),
          }),
          backup: Type.Object({
            is_made: Type.Boolean({ description: 'Whether BACKUP_TO is set.' }),
            age_seconds: Type.Optional(Type.Number()),
          }),
          disk_free_bytes: Type.Number(),
          is_sending_paused: Type.Boolean(),
        }),
      ),
    }),

    async run({ db, principal, now }, { brief = false }) {
      const works = await status.works()
      const is_operator = await isOperator(status, { db, principal })
      const report = is_operator && !brief && (await status.report(now))
      return { works, is_operator, ...(report && { report }) }
    },
  })
