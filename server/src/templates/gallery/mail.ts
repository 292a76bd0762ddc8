/**
 * A mail of the gallery: what a small business sends, written once in each language, with slots in
 * place of every fact. A slot stands as `[[name]]` in a subject or a field of a block.
 */
import { type AppLanguage, appLanguages } from '../../core/app-languages.ts'
import type { Block } from '../blocks/block.ts'

/** Those of the app, so that what it offers is in the language of whoever chooses. */
export const galleryLanguages = appLanguages
export type GalleryLanguage = AppLanguage

export const purposes = [
  'newsletter',
  'announcement',
  'sale',
  'event',
  'welcome',
  'birthday',
  'win-back',
  'review',
  'back-in-stock',
  'cart',
  'receipt',
  'shipping',
  'password-reset',
  'appointment',
  'invoice',
  'survey',
  're-permission',
  'season',
  'job',
  'donation',
  'press',
  'product-launch',
  'webinar',
  'thank-you',
] as const
export type Purpose = (typeof purposes)[number]

export type SlotKind =
  | 'text'
  | 'url'
  | 'date'
  | 'time'
  | 'place'
  | 'price'
  | 'percent'
  | 'code'
  | 'name'
  | 'number'
  | 'image'
  | 'email'
  | 'phone'

export interface Slot {
  name: string
  kind: SlotKind
  /** Without its fact, the mail is not ready to send. A block with another empty slot is left out. */
  required: boolean
  /** What stands in the empty slot. */
  label: Record<GalleryLanguage, string>
}

export interface GalleryWords {
  /** What the gallery calls the mail, and a sentence about it. */
  title: string
  about: string
  subject: string
  preview_text: string
  blocks: readonly Block[]
}

export interface GalleryMail {
  /** Such as `welcome-1`. */
  key: string
  purpose: Purpose
  kind: 'marketing' | 'transactional'
  slots: readonly Slot[]
  words: Record<GalleryLanguage, GalleryWords>
}

type Labels = readonly [english: string, german: string, french: string]

const slot =
  (required: boolean) =>
  (name: string, kind: SlotKind, [en, de, fr]: Labels): Slot => ({
    name,
    kind,
    required,
    label: { en, de, fr },
  })

export const requiredSlot = slot(true)
export const optionalSlot = slot(false)

/** Slots of many mails. */
export const sender = optionalSlot('sender', 'name', ['Your name', 'Ihr Name', 'Votre nom'])
export const picture = optionalSlot('image', 'image', ['Picture', 'Bild', 'Image'])
export const instagram = optionalSlot('instagram_url', 'url', [
  'Link to Instagram',
  'Link zu Instagram',
  'Lien vers Instagram',
])
export const discountCode = (required: boolean): Slot =>
  slot(required)('code', 'code', ['Discount code', 'Rabattcode', 'Code promo'])

/** Behind the facts of a mail. Blocks that follow each other make one panel. */
export const panel = { background: '#f4f4f7', padding: 'small' } as const
