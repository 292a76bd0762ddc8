/** Writes a campaign's content from a brief, with the configured writer. */

import { senderProfileOf } from '../../accounts/businesses/sender-profile.ts'
import { limits } from '../../config.ts'
import { commonTags } from '../../contacts/tagging/common-tags.ts'
import type { BusinessContext } from '../../core/operation.ts'
import { parseMailbox } from '../../lib/email/header-fields.ts'
import { countAttempt } from '../../lib/rate-limit/attempts.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { withoutFormat } from '../../lib/text/visible-text.ts'
import { hours } from '../../lib/time/clock.ts'
import type { GalleryLanguage } from '../../templates/gallery/mail.ts'
import {
  type Audience,
  type CampaignChannel,
  campaignLimits,
  type Writer as Hand,
} from '../campaign.ts'
import type { ContentInput } from '../content.ts'
import type { briefInput } from './brief.ts'
import type { Surroundings } from './copy.ts'
import { noteWords } from './notes.ts'
import type { Draft, Writer, writers } from './writer.ts'

/** The facts about a writer's work that the call returns. */
export const writtenView = {
  model: Type.Optional(Type.String()),
  subject: Type.Optional(Type.String()),
  preheader: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
  sms_text: Type.Optional(Type.String()),
  notes: Type.Optional(Type.Array(Type.String())),
}

export interface FromBrief {
  content: ContentInput
  name: string
  /** The audience that the brief describes, by existing tags; empty for everyone. */
  audience: Audience
  /** The audience that the brief describes in words that no tag matches. */
  audienceWish: string | undefined
  writtenBy: Hand
  /** The key of the mail in the gallery that it was made of. */
  gallery: string | undefined
  view: Pick<Static<ReturnType<typeof objectOf>>, keyof typeof writtenView>
}

const objectOf = () => Type.Object(writtenView)

export interface BriefAsked {
  brief: Static<typeof briefInput>
  channel: CampaignChannel
  writer: (typeof writers)[number] | undefined
  notesIn?: GalleryLanguage | undefined
  /** The arguments of the call. */
  call: Record<string, unknown>
}

/** The most tags that a writer receives. */
const tagsTold = 50

export async function writeFromBrief(
  writer: Writer,
  context: Pick<BusinessContext, 'db' | 'business' | 'now' | 'hmac'>,
  { brief, channel, writer: hand, notesIn = 'en', call }: BriefAsked,
): Promise<FromBrief> {
  const around = await surroundingsOf(context)
  const { db, business, now, hmac } = context
  const admit = async () => {
    const over = await countAttempt(
      db,
      { hmac },
      {
        purpose: 'campaign.draft',
        subject: business.id,
        limit: limits.modelDraftsPerHour,
        windowMs: hours(1),
        now,
      },
    )
    if (over) throw over
  }
  const draft = await writer.write({
    brief,
    around,
    channel,
    writer: hand,
    notesIn,
    call,
    admit,
  })
  // A brief is often pasted from a document with invisible characters.
  const mail = { ...draft.mail, subject: withoutFormat(draft.mail.subject) }
  const { subject, preheader, blocks } = mail
  const { sms, tags } = draft
  return {
    // Without a text of its own, the text of the mail follows its blocks when they are edited.
    content: channel === 'email' ? { subject, preheader, blocks } : { text: sms },
    name: mail.subject,
    audience: tags.length > 0 ? { tags: [...tags] } : {},
    audienceWish: draft.unmatched?.slice(0, campaignLimits.wishLength),
    writtenBy: draft.writtenBy,
    gallery: draft.gallery,
    view: shownOf({ ...draft, mail }, channel, noteWords(notesIn)),
  }
}

async function surroundingsOf({
  db,
  business,
}: Pick<BusinessContext, 'db' | 'business'>): Promise<Surroundings> {
  const [senderProfile, tags] = await Promise.all([
    senderProfileOf(db, business.id),
    commonTags(db, business.id, tagsTold),
  ])
  const sender = senderProfile?.sender ? parseMailbox(senderProfile.sender).name : undefined
  return {
    business: { name: business.name, language: senderProfile?.language ?? 'en' },
    sender: sender ?? business.name,
    tags,
  }
}

function shownOf(
  { model, mail, sms, notes, tags, unmatched }: Draft,
  channel: CampaignChannel,
  words: ReturnType<typeof noteWords>,
) {
  const aimed = tags.length > 0 ? [words.audience(tags)] : []
  const open = unmatched === undefined ? [] : [words.unmatched(unmatched)]
  return {
    ...(model !== undefined && { model }),
    ...(channel === 'email' && { subject: mail.subject, preheader: mail.preheader }),
    ...(channel === 'sms' && { text: sms }),
    ...(channel === 'email' && { sms_text: sms }),
    notes: [...aimed, ...open, ...notes],
  }
}
