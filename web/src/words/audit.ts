/** The texts of the audit page, loaded with it in both languages. */
import { audit as german } from './de/audit.ts'
import { audit as english } from './en/audit.ts'
import { language } from './words.ts'

export const auditWords = (): typeof english => (language === 'de' ? german : english)
