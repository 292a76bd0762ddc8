/** The texts of the page over all businesses, loaded with it. */
import { businesses as german } from './de/businesses.ts'
import { businesses as english } from './en/businesses.ts'
import { language } from './words.ts'

export const businessesWords = language === 'de' ? german : english
