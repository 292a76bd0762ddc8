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

/** The most characters of a slot's label. A doubt of a brief may stand in one, too. */
const longest = 300

/** Each once, with its brackets. */
export function emptySlotsIn(texts: readonly string[]): string[] {
  const names = new Set<string>()
  for (const text of texts) {
    for (let at = text.indexOf('[['); at >= 0; at = text.indexOf('[[', at + 2)) {
      const end = text.indexOf(']]', at)
      if (end < 0) break
      const slot = text.slice(at, end + 2)
      const isSlot = slot.length > 4 && slot.length <= longest && !slot.includes('\n')
      if (isSlot) names.add(slot)
    }
  }
  return [...names]
}
