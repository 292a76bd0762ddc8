import { pastVolume } from '../../config/past-volume.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { changeHints, forOperator } from './common.ts'
import type { MailFacility } from './mail.ts'
import { refuseOthers } from './operator-only.ts'

const { least, most, noteLength } = pastVolume

export const operatorAnswerVolume = (facility: MailFacility) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.answer_volume',
    title: 'Answer what a domain is said to have sent',
    summary:
      'Approves or refuses a statement of past volume. After an approval the warm-up begins at the day that matches; crier domains volume withdraw takes it back.',
    hints: changeHints,
    rest: 'POST /v1/operator/volumes',
    input: {
      domain: Type.String({ maxLength: 300 }),
      approved_per_day: Type.Optional(
        Type.Integer({
          minimum: least,
          maximum: most,
          description: 'Mails a day. Without it, the statement is refused.',
        }),
      ),
      answer: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: noteLength,
          description: 'What the owner reads with it.',
        }),
      ),
    },
    output: Type.Object({
      domain: Type.String(),
      begins_at_day: Type.Integer({ description: 'The day of the warm-up; 1 after a refusal.' }),
    }),

    async run({ db, principal, now, write, origin }, { domain, approved_per_day, answer }) {
      const refused = await refuseOthers(facility, { db, principal })
      if (refused) throw refused
      const { waitingOrSame } = await import('../../sender-domains/volume/waiting.ts')
      const { headStartOf } = await import('../../messages/throttle/stream.ts')
      const { decideStatement } = await import('./decide-volume.ts')
      const approved = approved_per_day ?? null
      const words = { approved, answer: answer ?? null }
      const waiting = await waitingOrSame(db, domain, words)
      const routes = facility.relays(now).map(({ name }) => name)
      if (!waiting.decidedAt) {
        await write((tx) => decideStatement(tx, waiting, { ...words, routes, origin, now }))
      }
      const begins_at_day = approved === null ? 1 : headStartOf(approved) + 1
      return { domain: waiting.domain, begins_at_day }
    },
  })
