/**
 * The texts of the account pages. They are loaded with these pages, in both languages, so that no
 * other page carries their weight.
 */
import * as german from './de/account.ts'
import * as english from './en/account.ts'
import { language } from './words.ts'

const { connections, sessions, limits, recentCalls } = german
const inGerman: typeof english = { connections, sessions, limits, recentCalls }

export const accountWords = (): typeof english => (language === 'de' ? inGerman : english)
