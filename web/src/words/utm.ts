/** The texts about UTM parameters, loaded with the parts of the pages that show them. */
import { utm as german } from './de/utm.ts'
import { utm as english } from './en/utm.ts'
import { language } from './words.ts'

export const utmWords = language === 'de' ? german : english
