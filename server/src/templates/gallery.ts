import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { languageOf, readEntry, slotLimits } from './gallery/choice.ts'
import { galleryMails, galleryTexts } from './gallery/entries.ts'
import {
  type GalleryLanguage,
  type GalleryMail,
  galleryLanguages,
  purposes,
} from './gallery/mail.ts'
import type { GalleryText } from './gallery/texts.ts'

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
    'Finished mails and text messages, with slots for facts. Give a key and slots to campaign.generate or template.save.',
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
    texts: Type.Array(
      Type.Object({
        key: Type.String(),
        purpose: Type.String(),
        kind: Type.Enum(['marketing', 'transactional']),
        title: Type.String(),
        slots: Type.Array(slotView),
        text: Type.String(),
      }),
    ),
  }),

  async run({ db, business }, { purpose, language, key }) {
    const profile = await senderProfileOf(db, business.id)
    const galleryLanguage = language ?? languageOf(profile?.language ?? 'en')
    if (key !== undefined) readEntry(key, 'key')
    const isChosen = (entry: GalleryMail | GalleryText) =>
      (key === undefined || entry.key === key) &&
      (purpose === undefined || entry.purpose === purpose)
    return {
      language: galleryLanguage,
      mails: galleryMails()
        .filter(isChosen)
        .map((mail) => ({
          ...entryOf(mail, galleryLanguage),
          about: mail.words[galleryLanguage].about,
          ...(key !== undefined && contentOf(mail, galleryLanguage)),
        })),
      texts: galleryTexts()
        .filter(isChosen)
        .map((text) => ({
          ...entryOf(text, galleryLanguage),
          text: text.words[galleryLanguage].text,
        })),
    }
  },
})

function entryOf(
  { key, purpose, kind, slots, words }: GalleryMail | GalleryText,
  language: GalleryLanguage,
) {
  const { title } = words[language]
  const labelled = slots.map(({ label, ...slot }) => ({ ...slot, label: label[language] }))
  return { key, purpose, kind, title, slots: labelled }
}

function contentOf({ words }: GalleryMail, language: GalleryLanguage) {
  const { subject, preview_text: preheader, blocks } = words[language]
  return { subject, preheader, blocks: [...blocks] }
}
