/** The texts about the brand, loaded with its page in both languages. */
import { brand as german } from './de/brand.ts'
import { brand as english } from './en/brand.ts'
import { language } from './words.ts'

export const brandWords = (): typeof english => (language === 'de' ? german : english)
