/** The texts about A/B tests, loaded with the parts of the pages that show one. */
import { abTests as german } from './de/ab-tests.ts'
import { abTests as english } from './en/ab-tests.ts'
import { language } from './words.ts'

export const abTests = language === 'de' ? german : english
