/** The settings of a business as callers see them. */

import { formatId } from '../../core/ids.ts'
import { isDemo } from '../../core/installation/demo.ts'
import type { Reach } from '../../core/operation.ts'
import { utmView } from '../../core/utm.ts'
import type { Db } from '../../lib/db/types.ts'
import { parseMailbox } from '../../lib/email/header-fields.ts'
import type { NewJob } from '../../lib/jobs/job.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { archiveUrl } from '../businesses/archive.ts'
import { trackingPolicies } from '../businesses/business.ts'
import { findSettings } from '../businesses/queries.ts'
import { type RetainedKind, type Retention, retainedKinds } from '../businesses/retention.ts'
import { lastSaveView } from '../saves/last-save.ts'
import { archiveView, viewOfArchive } from './archive-setting.ts'
import { attentionView } from './attention.ts'
import { missingView, type ReadMissing, type ReadMissingFrom, viewOfMissing } from './missing.ts'

/** Dependencies of the operations on settings; `composition/` fills them in. */
export interface SettingsParts {
  appUrl: string
  missingOf: ReadMissing
  missingIn: ReadMissingFrom
  /** Called after a change, so that this process drops what it cached of the business. */
  changed(id: Reach['id']): void
  /** What gives the templates of a business its colour and language of now. */
  restyle(id: Reach['id']): NewJob
  /** The address under which the business's public pages are. */
  publicBaseOf(id: Reach['id']): Promise<string>
  /** The domains that a person, or a program of the business, has verified. */
  ownDomainsOf(id: Reach['id']): Promise<string[]>
}

const orNull = <T extends ReturnType<typeof Type.String>>(type: T) =>
  Type.Union([type, Type.Null()])

type Months = ReturnType<typeof months>
const months = () => Type.Union([Type.Integer(), Type.Null()])

export const settingsFields = {
  business_id: Type.String(),
  name: Type.String(),
  tier: Type.String(),
  role: Type.String(),
  postal_address: orNull(Type.String()),
  sender: Type.Union([
    Type.Object({ name: Type.Optional(Type.String()), email: Type.String() }),
    Type.Null(),
  ]),
  reply_to: orNull(Type.String()),
  sms_sender: orNull(Type.String()),
  sms_help: orNull(Type.String()),
  time_zone: Type.String(),
  language: Type.String(),
  track_opens: Type.Boolean(),
  track_clicks: Type.Boolean(),
  track_transactional: Type.Boolean(),
  tracking: Type.Enum(trackingPolicies),
  attribution_days: Type.Integer(),
  deploy_limit: Type.Union([Type.Integer(), Type.Null()]),
  two_people: Type.Boolean(),
  colour: orNull(Type.String()),
  privacy_url: orNull(Type.String()),
  retention: Type.Object(
    Object.fromEntries(retainedKinds.map((kind) => [kind, months()])) as Record<
      RetainedKind,
      Months
    >,
  ),
  utm: utmView,
  archive: archiveView,
  attention: attentionView,
  version: Type.Integer(),
  saved: Type.Optional(lastSaveView),
  missing: missingView,
  demo: Type.Optional(Type.Boolean()),
  settings_url: Type.String(),
}

const whole = Type.Object(settingsFields)

export function settingsUrl(appUrl: string, id: Reach['id']): string {
  return `${appUrl}/b/${formatId('business', id)}/settings`
}

export async function showSettings(
  db: Db,
  {
    appUrl,
    missingIn,
    publicBase,
  }: Pick<SettingsParts, 'appUrl' | 'missingIn'> & { publicBase: string },
  { id, tier, role }: Reach,
): Promise<Static<typeof whole>> {
  const [found, missing, demo] = await Promise.all([
    findSettings(db, id),
    missingIn(db, [id]),
    isDemo(db, id),
  ])
  if (!found) throw new Error('a business that is called and not there')
  const sender = found.sender === null ? null : parseMailbox(found.sender)
  return {
    ...found,
    business_id: formatId('business', id),
    tier,
    role,
    sender: sender && {
      ...(sender.name !== undefined && { name: sender.name }),
      email: sender.address,
    },
    retention: allKinds(found.retention),
    archive: viewOfArchive(found.archive, archiveUrl(publicBase, id)),
    missing: viewOfMissing(missing.get(id)),
    ...(demo && { demo }),
    settings_url: settingsUrl(appUrl, id),
  }
}

function allKinds(retention: Retention): Record<RetainedKind, number | null> {
  const months = retainedKinds.map((kind) => [kind, retention[kind] ?? null] as const)
  return Object.fromEntries(months) as Record<RetainedKind, number | null>
}
