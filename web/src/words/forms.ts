/** The texts about forms, loaded with their pages in both languages. */
import { forms as german } from './de/forms.ts'
import { forms as english } from './en/forms.ts'
import { language } from './words.ts'

export const formWords = (): typeof english => (language === 'de' ? german : english)
