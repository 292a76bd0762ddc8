import { pastVolume } from '../../config/past-volume.ts'
import { refuse } from '../../core/errors.ts'
import { operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { Type } from '../../lib/schema/schema.ts'
import { findDomain } from '../keys/read-domains.ts'
import { readDomainName } from '../model/domain-name.ts'
import { volumeView, volumeViewOf } from '../volume/volume.ts'
import { findVolume, stateVolume } from '../volume/volume-queries.ts'
import { domainInput, noSuchDomain } from './view.ts'

/** The operator decides in the app or with `crier domains volume`, since only they know their relay's name. */
export const domainStateVolume = operation({
  name: 'domain.state_volume',
  title: 'State what a domain sent before',
  area: 'domains',
  summary:
    'State how many emails per day a verified domain sent with another service. If the operator approves it, the warm-up starts at the matching day.',
  reach: 'business',
  scope: 'provisioning:write',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'POST /v1/domains/:domain/volume',
  input: {
    domain: domainInput,
    emails_per_day: Type.Integer({ minimum: pastVolume.least, maximum: pastVolume.most }),
    note: Type.Optional(Type.String({ minLength: 1, maxLength: pastVolume.noteLength })),
  },
  output: Type.Object({ domain: Type.String(), past_volume: volumeView }),

  async run({ business, now, write, origin }, { domain: text, emails_per_day, note = null }) {
    const read = await readDomainName(text)
    const businessId = business.id
    return write(async (tx) => {
      const domain = await findDomain(tx, businessId, read)
      if (!domain) throw noSuchDomain(read.name)
      const key = { businessId, domainId: domain.id }
      const stated = { emailsPerDay: emails_per_day, note, now }
      const isStated = (await stateVolume(tx, key, stated)) > 0
      if (!isStated && domain.status !== 'verified') throw notVerified(domain.name)
      const volume = await findVolume(tx, key)
      if (!volume) throw noSuchDomain(domain.name)
      const isSame = volume.emailsPerDay === emails_per_day && volume.note === note
      if (!isStated && !isSame) throw waitsAlready(domain.name, volume.emailsPerDay)
      if (isStated) {
        const entry = { businessId, action: 'domain.state_volume', subject: domain.name, origin }
        await recordAudit(tx, [{ ...entry, details: { emails_per_day } }], now)
      }
      return { domain: domain.name, past_volume: volumeViewOf(volume) }
    })
  },
})

const notVerified = (domain: string) =>
  refuse(
    'conflict',
    `${domain} is not verified. State its past volume once all its records are found.`,
    {
      field: 'domain',
      fix: { tool: 'domain.status', arguments: { domain } },
      data: { reason: 'domain_not_verified' },
    },
  )

const waitsAlready = (domain: string, emailsPerDay: number) =>
  refuse(
    'conflict',
    `A statement of ${emailsPerDay} emails per day from ${domain} is waiting for the operator’s answer. Wait for it before you state another number.`,
    {
      field: 'emails_per_day',
      fix: { tool: 'domain.status', arguments: { domain } },
      data: { reason: 'volume_waits' },
    },
  )
