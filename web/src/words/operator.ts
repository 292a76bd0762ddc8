/** The texts of the operator's pages, in both languages, loaded with them. */
import { operator as german } from './de/operator.ts'
import { operator as english } from './en/operator.ts'
import { language } from './words.ts'

export const operatorWords = (): typeof english => (language === 'de' ? german : english)
