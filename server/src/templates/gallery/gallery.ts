/**
 * The gallery of mails to begin with: `mail.ts` says what one is, and `mails` has a file for each.
 */
import type { GalleryMail, Purpose } from './mail.ts'
import { event } from './mails/event.ts'
import { sale } from './mails/sale.ts'
import { welcome1 } from './mails/welcome-1.ts'

/** In the order in which the app shows them. */
export const galleryMails: readonly GalleryMail[] = [sale, event, welcome1]

export const galleryMail = (key: string): GalleryMail | undefined =>
  galleryMails.find((mail) => mail.key === key)

export const mailsFor = (purpose: Purpose): GalleryMail[] =>
  galleryMails.filter((mail) => mail.purpose === purpose)
