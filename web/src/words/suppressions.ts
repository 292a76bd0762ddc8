/** The texts of the page of suppressed addresses, loaded with it in both languages. */

import { suppressions as german } from './de/suppressions.ts'
import { suppressions as english } from './en/suppressions.ts'
import { language } from './words.ts'

export const suppressionWords = language === 'de' ? german : english
