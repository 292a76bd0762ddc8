/**
 * The gallery of mails to begin with: `mail.ts` says what one is, `mails` has a file for each,
 * `mails.ts` lists them, and `texts.ts` has text messages.
 */
import { createRequire } from 'node:module'
import type { GalleryMail, Purpose } from './mail.ts'
import type { GalleryText } from './texts.ts'

const require = createRequire(import.meta.url)

/** In the order in which the app shows them. */
export const galleryMails = (): readonly GalleryMail[] =>
  (require('./mails.ts') as typeof import('./mails.ts')).mails

export const galleryMail = (key: string): GalleryMail | undefined =>
  galleryMails().find((mail) => mail.key === key)

export const galleryTexts = (): readonly GalleryText[] =>
  (require('./texts.ts') as typeof import('./texts.ts')).galleryTexts

export const galleryText = (key: string): GalleryText | undefined =>
  galleryTexts().find((text) => text.key === key)

/** Whether what was made of it may be sent to people who agreed alone. */
export function isMarketing(key: string): boolean {
  return (galleryMail(key) ?? galleryText(key))?.kind === 'marketing'
}

export const mailsFor = (purpose: Purpose): GalleryMail[] =>
  galleryMails().filter((mail) => mail.purpose === purpose)
