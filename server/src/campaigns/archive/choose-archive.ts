/**
 * Whether a campaign is in the public archive of the business. It is no part of what is sent, so it
 * can be chosen in every state, and leaves the version and the plan as they are.
 */
import { noteArchiveChange } from '../../accounts/businesses/archive.ts'
import { refuse } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Origin } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import type { Campaign } from '../campaign.ts'
import { updateArchive } from '../campaign.ts'
import { lockCampaign } from '../sending/transitions.ts'
import { noSuchCampaign } from '../view.ts'

export const archiveChoiceInput = Type.Optional(Type.Boolean({ description: 'Also once sent.' }))

/** Texts have no page. */
export function checkHasPage(channel: Campaign['channel']): void {
  if (channel === 'email') return
  throw refuse('invalid_request', 'Only an email can be in the archive.', {
    field: 'archive',
    data: { reason: 'archive_of_texts' },
  })
}

export interface ArchiveChoice {
  businessId: Id<'business'>
  id: Id<'campaign'>
  archive: boolean
  origin: Origin
  now: Date
}

export async function chooseArchive(
  tx: Tx,
  { businessId, id, archive, origin, now }: ArchiveChoice,
): Promise<Campaign> {
  const name = formatId('campaign', id)
  const campaign = await lockCampaign(tx, businessId, id)
  if (!campaign) throw noSuchCampaign(name)
  if (campaign.inArchive === archive) return campaign
  await updateArchive(tx, businessId, { id, inArchive: archive }, now)
  if (campaign.state === 'completed') await noteArchiveChange(tx, businessId, now)
  const entry = { businessId, action: 'campaign.save', subject: name, origin }
  await recordAudit(tx, [{ ...entry, details: { archive } }], now)
  return { ...campaign, inArchive: archive, updatedAt: now }
}
