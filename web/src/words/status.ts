/** The texts of the page Status, in both languages, loaded with it. */
import { status as german } from './de/status.ts'
import { status as english } from './en/status.ts'
import { language } from './words.ts'

export type StatusWords = typeof english

export const statusWords = (): StatusWords => (language === 'de' ? german : english)
