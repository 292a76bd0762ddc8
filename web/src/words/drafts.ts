/** Texts that only editors need, so they are not loaded with the app's first page. */
import { drafts as de } from './de/drafts.ts'
import { drafts as en } from './en/drafts.ts'
import { language } from './words.ts'

export const drafts = language === 'de' ? de : en
