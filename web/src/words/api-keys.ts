/** The texts about API keys and what they may do, loaded with their pages in both languages. */
import { apiKeys as german } from './de/api-keys.ts'
import { apiKeys as english } from './en/api-keys.ts'
import { language } from './words.ts'

export const keyWords = (): typeof english => (language === 'de' ? german : english)
