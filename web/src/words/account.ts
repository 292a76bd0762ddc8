/**
 * The texts of the account pages. They are loaded with these pages, in both languages, so that no
 * other page carries their weight.
 */
import * as german from './de/account.ts'
import * as english from './en/account.ts'
import { language } from './words.ts'

export const accountWords = (): typeof english => (language === 'de' ? german : english)
