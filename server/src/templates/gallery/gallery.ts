/**
 * The gallery of mails to begin with: `mail.ts` says what one is, `mails` has a file for each,
 * `mails.ts` lists them, and `texts.ts` has text messages.
 */
import { createRequire } from 'node:module'
import type { GalleryMail, Purpose } from './mail.ts'

const require = createRequire(import.meta.url)

/** In the order in which the app shows them. */
export const galleryMails = (): readonly GalleryMail[] =>
  (require('./mails.ts') as typeof import('./mails.ts')).mails

export const galleryMail = (key: string): GalleryMail | undefined =>
  galleryMails().find((mail) => mail.key === key)

export const mailsFor = (purpose: Purpose): GalleryMail[] =>
  galleryMails().filter((mail) => mail.purpose === purpose)
