import { pastVolume } from '../../config/past-volume.ts'
import { formatId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { untrusted } from '../../core/untrusted.ts'
import { Type } from '../../lib/schema/schema.ts'
import { forOperator, readHints } from './common.ts'
import { type OperatorIdentity, refuseOthers } from './operator-only.ts'

export const operatorVolumes = (identity: OperatorIdentity) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.volumes',
    title: 'See what domains are said to have sent',
    summary:
      'To the operator: statements of past volume that wait for an answer, the oldest first.',
    hints: readHints,
    rest: 'GET /v1/operator/volumes',
    input: {},
    output: Type.Object({
      volumes: Type.Array(
        Type.Object({
          business_id: Type.String(),
          domain: Type.String(),
          emails_per_day: Type.Integer(),
          begins_at_day: Type.Integer({ description: 'The day of the warm-up that matches.' }),
          stated_at: Type.String(),
          untrusted: untrusted({
            business_name: Type.String(),
            note: Type.Optional(Type.String()),
          }),
        }),
      ),
      is_part: Type.Boolean({ description: 'More may wait than are listed.' }),
    }),

    async run({ db, principal }) {
      const refused = await refuseOthers(identity, { db, principal })
      if (refused) throw refused
      const { waitingVolumes } = await import('../../sender-domains/volume/waiting.ts')
      const { headStartOf } = await import('../../messages/throttle/stream.ts')
      const waiting = await waitingVolumes(db)
      return {
        volumes: waiting.map(
          ({ businessId, businessName, domain, emailsPerDay, note, statedAt }) => ({
            business_id: formatId('business', businessId),
            domain,
            emails_per_day: emailsPerDay,
            begins_at_day: headStartOf(emailsPerDay) + 1,
            stated_at: statedAt.toISOString(),
            untrusted: { business_name: businessName, ...(note !== null && { note }) },
          }),
        ),
        is_part: waiting.length === pastVolume.listed,
      }
    },
  })
