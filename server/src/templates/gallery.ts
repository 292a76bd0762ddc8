import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { languageOf, readMail, slotLimits } from './gallery/choice.ts'
import { galleryMails } from './gallery/gallery.ts'
import {
  type GalleryLanguage,
  type GalleryMail,
  galleryLanguages,
  purposes,
} from './gallery/mail.ts'

const slotView = Type.Object({
  name: Type.String(),
  kind: Type.String(),
  required: Type.Boolean(),
  label: Type.String(),
})

export const templateGallery = operation({
  name: 'template.gallery',
  title: 'Mails to begin with',
  area: 'templates',
  everyday: true,
  summary:
    'Finished mails by purpose (sale, event, welcome, receipt …), with slots for facts. Give a key and slots to campaign.generate or template.save. With key also its blocks. Free.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/gallery',
  input: {
    purpose: Type.Optional(Type.Enum(purposes)),
    language: Type.Optional(Type.Enum(galleryLanguages)),
    key: Type.Optional(Type.String({ maxLength: slotLimits.keyLength })),
  },
  output: Type.Object({
    language: Type.String(),
    mails: Type.Array(
      Type.Object({
        key: Type.String(),
        purpose: Type.String(),
        kind: Type.Enum(['marketing', 'transactional']),
        title: Type.String(),
        about: Type.String(),
        slots: Type.Array(slotView),
        subject: Type.Optional(Type.String()),
        preheader: Type.Optional(Type.String()),
        blocks: Type.Optional(Type.Array(Type.Unsafe<object>({ type: 'object' }))),
      }),
    ),
  }),

  async run({ db, business }, { purpose, language, key }) {
    const profile = await senderProfileOf(db, business.id)
    const shown = language ?? languageOf(profile?.language ?? 'en')
    const mails = key === undefined ? galleryMails() : [readMail(key, 'key')]
    return {
      language: shown,
      mails: mails
        .filter((mail) => purpose === undefined || mail.purpose === purpose)
        .map((mail) => ({
          ...entryOf(mail, shown),
          ...(key !== undefined && contentOf(mail, shown)),
        })),
    }
  },
})

function entryOf({ key, purpose, kind, slots, words }: GalleryMail, language: GalleryLanguage) {
  const { title, about } = words[language]
  const shown = slots.map(({ label, ...slot }) => ({ ...slot, label: label[language] }))
  return { key, purpose, kind, title, about, slots: shown }
}

function contentOf({ words }: GalleryMail, language: GalleryLanguage) {
  const { subject, preview_text: preheader, blocks } = words[language]
  return { subject, preheader, blocks: [...blocks] }
}
