/** The texts of the operator's pages, in both languages, loaded with them. */
import { operator as german } from './de/status.ts'
import { operator as english } from './en/status.ts'
import { language } from './words.ts'

export const operatorWords = (): typeof english => (language === 'de' ? german : english)
