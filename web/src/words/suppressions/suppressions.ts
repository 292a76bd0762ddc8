/** The texts of the page of suppressed addresses, loaded with it in both languages. */
import { language } from '../words.ts'
import { suppressions as english } from './english.ts'
import { suppressions as german } from './german.ts'

export const suppressionWords = language === 'de' ? german : english
