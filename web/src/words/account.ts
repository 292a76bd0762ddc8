/**
 * The texts of the account pages. They are loaded with these pages, in both languages, so that no
 * other page carries their weight.
 */
import { connections as germanConnections, sessions as germanSessions } from './de/account.ts'
import { connections, sessions } from './en/account.ts'
import { language } from './words.ts'

const english = { connections, sessions }
const german: typeof english = { connections: germanConnections, sessions: germanSessions }

export const accountWords = () => (language === 'de' ? german : english)
